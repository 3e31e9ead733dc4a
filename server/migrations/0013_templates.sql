-- What upstream last told of each template's category, which decides whether a person who has opted out of marketing may get it; and the
-- templates that were submitted without a clear answer. Running code tolerates it: only new tables.
create table template_state (
  account_id uuid not null,
  waba_id text not null,
  name text not null,
  -- Spelled with `_`; some of upstream's notices have `-`.
  language text not null,
  category text not null,
  -- Something that was told earlier never replaces it.
  seen_at timestamptz not null,
  primary key (account_id, waba_id, name, language)
);

create table template_submission (
  account_id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  body_hash bytea not null,
  submitted_at timestamptz not null,
  -- The same was submitted shortly before, and what became of that is not known.
  repeated boolean not null,
  primary key (account_id, waba_id, name, language)
);
