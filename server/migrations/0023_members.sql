-- The people of the console and what they may do in which accounts. New schema and new tables: running code tolerates it.

-- What the library for sign-ins keeps, in its own names and types; `auth-schema.test.ts` asks it whether anything is missing.
create schema auth;

create table auth."user" (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "twoFactorEnabled" boolean,
  language text
);

create table auth.session (
  id uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references auth."user" (id) on delete cascade
);
create index "session_userId_idx" on auth.session ("userId");

create table auth.account (
  id uuid primary key default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on auth.account ("userId");

create table auth.verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index verification_identifier_idx on auth.verification (identifier);

create table auth."twoFactor" (
  id uuid primary key default gen_random_uuid(),
  secret text not null,
  "backupCodes" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index "twoFactor_secret_idx" on auth."twoFactor" (secret);
create index "twoFactor_userId_idx" on auth."twoFactor" ("userId");

-- Ours: a link signs one person in, once. Only a hash is kept.
create table one_time_link (
  hash bytea primary key,
  user_id uuid not null references auth."user" (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- How often a second factor was tried with it.
  tries smallint not null default 0,
  used_at timestamptz
);
create index one_time_link_by_user on one_time_link (user_id);

create table member (
  account_id uuid not null references account (id),
  user_id uuid not null references auth."user" (id) on delete cascade,
  role text not null constraint member_role_is_known check (role in ('owner', 'admin', 'agent', 'viewer')),
  created_at timestamptz not null,
  primary key (account_id, user_id)
);
create index member_by_user on member (user_id);

create table invitation (
  account_id uuid not null references account (id),
  id uuid not null,
  email text not null,
  role text not null constraint invitation_role_is_known check (role in ('owner', 'admin', 'agent', 'viewer')),
  token_hash bytea not null constraint invitation_token_is_unique unique,
  -- null: the operator
  invited_by uuid references auth."user" (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
-- The last condition is always true, and no query names it, so that no look-up by token is served by this index.
create unique index invitation_is_one_of_its_email on invitation (account_id, email)
  where accepted_at is null and revoked_at is null and email <> '';

-- Who did what in the console. The person may be gone; the line stays.
create table audit_log (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  operation text not null,
  targets json not null,
  address text not null,
  primary key (account_id, id)
);
