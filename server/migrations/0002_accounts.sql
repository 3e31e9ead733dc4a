-- Who is served, under which plan. New tables: running code tolerates it.
create table plan (
  name text primary key,
  franchise integer not null constraint franchise_is_not_negative check (franchise >= 0)
);

create table account (
  id uuid primary key,
  name text not null,
  plan text references plan (name),
  suspended_at timestamptz,
  opt_out_words boolean not null default false,
  created_at timestamptz not null
);
