-- The schema that the migrations lead to. Written by tools/write-schema.ts and compared by a test: change a migration, not this file.
-- Partitions by time are left out: the gateway makes and drops them.

create extension btree_gin;
create extension pg_trgm;

create table account (
  id uuid not null,
  name text not null,
  plan text,
  suspended_at timestamp with time zone,
  opt_out_words boolean not null default false,
  created_at timestamp with time zone not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_plan_fkey FOREIGN KEY (plan) REFERENCES plan(name)
);

create table alert (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  subject text not null,
  opened_at timestamp with time zone not null,
  held_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  mail_due_at timestamp with time zone,
  mail_tries smallint not null default 0,
  mailed_at timestamp with time zone,
  constraint alert_pkey PRIMARY KEY (account_id, id),
  constraint alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint alert_kind_is_known CHECK ((kind = ANY (ARRAY['channel_token_lost'::text, 'channel_quality_low'::text, 'webhook_failing'::text, 'queue_old'::text])))
);
CREATE INDEX alert_closed ON public.alert USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX alert_mail ON public.alert USING btree (mail_due_at) WHERE (mail_due_at IS NOT NULL);
CREATE UNIQUE INDEX one_open_alert_of_each ON public.alert USING btree (account_id, kind, subject) WHERE (closed_at IS NULL);

create table api_key (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  livemode boolean not null,
  scopes text[],
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  name text,
  hint text,
  constraint api_key_pkey PRIMARY KEY (account_id, id),
  constraint api_key_hash_is_unique UNIQUE (hash),
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table audit_log (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  operation text not null,
  targets json not null,
  address text not null,
  failed boolean not null default false,
  about json not null default '{}'::json,
  constraint audit_log_pkey PRIMARY KEY (account_id, id)
);

create table canned_answer (
  account_id uuid not null,
  id uuid not null,
  shortcut text not null,
  text text not null,
  constraint canned_answer_pkey PRIMARY KEY (account_id, id),
  constraint shortcut_is_unique UNIQUE (account_id, shortcut),
  constraint canned_answer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table channel (
  account_id uuid not null,
  id uuid not null,
  phone_number_id text not null,
  waba_id text not null,
  token bytea,
  status text not null,
  disconnected_because text,
  phone text,
  display_name text,
  name_status text,
  quality text,
  throughput text,
  messaging_limit text,
  official_business_account boolean,
  on_business_app boolean not null default false,
  created_at timestamp with time zone not null,
  last_notice_at timestamp with time zone,
  quality_at timestamp with time zone,
  throughput_at timestamp with time zone,
  messaging_limit_at timestamp with time zone,
  display_name_at timestamp with time zone,
  name_status_at timestamp with time zone,
  disconnected_because_at timestamp with time zone,
  subscribed boolean,
  checked_at timestamp with time zone,
  check_due_at timestamp with time zone not null default '2000-01-01 00:00:00+00'::timestamp with time zone,
  constraint channel_pkey PRIMARY KEY (account_id, id),
  constraint phone_number_id_belongs_to_one_account UNIQUE (phone_number_id),
  constraint channel_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX channel_by_waba ON public.channel USING btree (waba_id);
CREATE INDEX channel_check ON public.channel USING btree (check_due_at) WHERE (token IS NOT NULL);

create table contact (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  phone text not null,
  wa_id text,
  user_id text,
  name text,
  created_at timestamp with time zone not null,
  merged_into uuid,
  former_ids uuid[] not null default '{}'::uuid[],
  constraint contact_pkey PRIMARY KEY (account_id, id),
  constraint merged_into_an_older_one CHECK ((merged_into < id)),
  constraint whoever_was_joined_has_nobody CHECK (((merged_into IS NULL) OR (former_ids = '{}'::uuid[])))
);

create table contact_key (
  account_id uuid not null,
  livemode boolean not null,
  key text not null,
  contact_id uuid not null,
  is_left boolean not null default false,
  changed_at timestamp with time zone,
  taken_at timestamp with time zone,
  constraint contact_key_pkey PRIMARY KEY (account_id, livemode, key)
);

create table contact_window (
  account_id uuid not null,
  channel_id uuid not null,
  contact_id uuid not null,
  last_inbound_at timestamp with time zone not null,
  constraint contact_window_pkey PRIMARY KEY (account_id, channel_id, contact_id)
) with (fillfactor=80);

create table conversation (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  last_message_id uuid,
  last_at timestamp with time zone not null,
  last_inbound_at timestamp with time zone,
  unread smallint not null default 0,
  read_to uuid,
  state text not null,
  snoozed_until timestamp with time zone,
  assignee uuid,
  labels text[] not null default '{}'::text[],
  constraint conversation_pkey PRIMARY KEY (account_id, id),
  constraint a_person_has_one_conversation_with_a_number UNIQUE (account_id, channel_id, contact_id),
  constraint conversation_state_is_known CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint only_an_open_one_is_snoozed CHECK (((state = 'open'::text) OR (snoozed_until IS NULL))),
  constraint unread_is_bounded CHECK (((unread >= 0) AND (unread <= 100)))
) with (fillfactor=80);
CREATE INDEX conversation_assigned ON public.conversation USING btree (account_id, livemode, assignee, last_at, id) WHERE (assignee IS NOT NULL);
CREATE INDEX conversation_labelled ON public.conversation USING btree (account_id, livemode, last_at, id) WHERE (labels <> '{}'::text[]);
CREATE INDEX conversation_list ON public.conversation USING btree (account_id, livemode, last_at, id);
CREATE INDEX conversation_open ON public.conversation USING btree (account_id, livemode, last_at, id) WHERE (state = 'open'::text);

create table conversation_note (
  account_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  author uuid not null,
  text text not null,
  constraint conversation_note_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX note_of_conversation ON public.conversation_note USING btree (account_id, conversation_id, id);

create table database_history (
  is_only boolean not null default true,
  installation uuid not null default gen_random_uuid(),
  value bigint not null default 0,
  timeline text not null,
  cluster text not null,
  judging_since timestamp with time zone,
  judgements integer not null default 0,
  constraint database_history_pkey PRIMARY KEY (is_only),
  constraint database_history_has_one_row CHECK (is_only)
) with (fillfactor=50);

create table delivery (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null default 'pending'::text,
  attempt smallint not null default 0,
  attempts smallint not null default 0,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint delivery_pkey PRIMARY KEY (account_id, id),
  constraint delivery_status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text]))),
  constraint only_a_pending_delivery_has_a_next_attempt CHECK (((status = 'pending'::text) = (next_at IS NOT NULL)))
) partition by RANGE (id);
CREATE INDEX delivery_due ON ONLY public.delivery USING btree (account_id, webhook_id, next_at) WHERE (status = 'pending'::text);
CREATE INDEX delivery_failed ON ONLY public.delivery USING btree (account_id, webhook_id, id) WHERE (status = 'failed'::text);
CREATE INDEX delivery_history ON ONLY public.delivery USING btree (account_id, webhook_id, id);

create table delivery_attempt (
  account_id uuid not null,
  delivery_id uuid not null,
  n smallint not null,
  manual boolean not null,
  started_at timestamp with time zone not null,
  ms integer not null,
  status_code smallint,
  error text,
  response_head text not null,
  constraint delivery_attempt_pkey PRIMARY KEY (account_id, delivery_id, n)
) partition by RANGE (delivery_id);

create table delivery_retry (
  account_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  paced boolean not null,
  constraint delivery_retry_pkey PRIMARY KEY (account_id, delivery_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
CREATE INDEX delivery_retry_waiting ON public.delivery_retry USING btree (account_id, webhook_id, paced, id);

create table event (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  livemode boolean not null,
  body bytea not null,
  created_at timestamp with time zone not null,
  subject uuid,
  constraint event_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);
CREATE INDEX event_of_subject ON ONLY public.event USING btree (account_id, subject) WHERE (subject IS NOT NULL);

create table feed_follower (
  name text not null,
  xid xid8 not null,
  id uuid not null,
  sweep_account uuid,
  sweep_id uuid,
  constraint feed_follower_pkey PRIMARY KEY (name),
  constraint a_sweep_has_a_place CHECK (((sweep_account IS NULL) = (sweep_id IS NULL)))
) with (fillfactor=50);

create table file_fetch (
  account_id uuid not null,
  message_id uuid not null,
  channel_id uuid not null,
  livemode boolean not null,
  shard smallint not null,
  upstream_id text not null,
  sha256 bytea,
  mime_type text,
  file_name text,
  kind text not null,
  tries smallint not null default 0,
  next_at timestamp with time zone not null,
  given_up boolean not null default false,
  created_at timestamp with time zone not null,
  is_again boolean not null default false,
  constraint file_fetch_pkey PRIMARY KEY (account_id, message_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, fillfactor=80);
CREATE INDEX file_fetch_due ON public.file_fetch USING btree (shard, account_id, next_at) WHERE (NOT given_up);

create table idempotency (
  account_id uuid not null,
  livemode boolean not null,
  key text not null,
  body_hash bytea not null,
  status_code smallint not null,
  response text not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (account_id, livemode, key)
) partition by HASH (account_id);
CREATE INDEX idempotency_expiry ON ONLY public.idempotency USING btree (expires_at);

create table idempotency_0 partition of idempotency FOR VALUES WITH (modulus 4, remainder 0);

create table idempotency_1 partition of idempotency FOR VALUES WITH (modulus 4, remainder 1);

create table idempotency_2 partition of idempotency FOR VALUES WITH (modulus 4, remainder 2);

create table idempotency_3 partition of idempotency FOR VALUES WITH (modulus 4, remainder 3);

create table inbox (
  id uuid not null,
  livemode boolean not null,
  account_id uuid,
  body bytea not null,
  state smallint not null default 0,
  tries smallint not null default 0,
  due_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  lane smallint not null default 0,
  constraint inbox_pkey PRIMARY KEY (id),
  constraint notice_state_is_known CHECK (((state >= 0) AND (state <= 2)))
) partition by RANGE (id);
CREATE INDEX inbox_replayed ON ONLY public.inbox USING btree (due_at, id) WHERE (state = 2);
CREATE INDEX inbox_turns ON ONLY public.inbox USING btree (lane, due_at, id) WHERE (state = 0);
CREATE INDEX inbox_waiting ON ONLY public.inbox USING btree (due_at, id) WHERE (state = 0);

create table invitation (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  mailed boolean not null default false,
  constraint invitation_pkey PRIMARY KEY (account_id, id),
  constraint invitation_token_is_unique UNIQUE (token_hash),
  constraint invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth."user"(id) ON DELETE SET NULL,
  constraint invitation_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text, 'viewer'::text])))
);
CREATE INDEX invitation_by_expiry ON public.invitation USING btree (expires_at);
CREATE UNIQUE INDEX invitation_is_one_of_its_email ON public.invitation USING btree (account_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL) AND (email <> ''::text));

create table key_check (
  one boolean not null default true,
  sealed bytea not null,
  constraint key_check_pkey PRIMARY KEY (one),
  constraint there_is_one_key_check CHECK (one)
);

create table marketing_opt_out (
  account_id uuid not null,
  contact_id uuid not null,
  livemode boolean not null,
  person text not null,
  source text not null,
  created_at timestamp with time zone not null,
  author uuid,
  constraint marketing_opt_out_pkey PRIMARY KEY (account_id, contact_id),
  constraint opt_out_source_is_known CHECK ((source = ANY (ARRAY['api'::text, 'person'::text, 'upstream'::text, 'console'::text, 'keyword'::text])))
);
CREATE INDEX marketing_opt_out_list ON public.marketing_opt_out USING btree (account_id, livemode, person) WHERE (livemode IS NOT NULL);

create table marketing_wish (
  account_id uuid not null,
  contact_id uuid not null,
  wanted boolean not null,
  told_at timestamp with time zone not null,
  constraint marketing_wish_pkey PRIMARY KEY (account_id, contact_id)
);

create table media (
  account_id uuid not null,
  id uuid not null,
  token text not null,
  sha256 bytea not null,
  kind text not null,
  animated boolean not null,
  mime_type text not null,
  size_bytes bigint not null,
  file_name text,
  created_at timestamp with time zone not null,
  uploaded boolean not null default true,
  gone_at timestamp with time zone,
  constraint media_pkey PRIMARY KEY (account_id, id),
  constraint media_of_an_account_is_kept_once UNIQUE (account_id, sha256),
  constraint media_token_is_unique UNIQUE (token),
  constraint media_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint media_is_not_empty CHECK ((size_bytes > 0)),
  constraint media_kind_is_known CHECK ((kind = ANY (ARRAY['image'::text, 'audio'::text, 'video'::text, 'document'::text, 'sticker'::text])))
);

create table media_quota (
  account_id uuid not null,
  day date not null,
  bytes bigint not null,
  constraint media_quota_pkey PRIMARY KEY (account_id),
  constraint media_quota_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table media_removal (
  account_id uuid not null,
  media_id uuid not null,
  due_at timestamp with time zone not null,
  tries smallint not null default 0,
  constraint media_removal_pkey PRIMARY KEY (account_id, media_id)
);
CREATE INDEX media_removal_due ON public.media_removal USING btree (due_at);

create table media_upstream (
  account_id uuid not null,
  media_id uuid not null,
  channel_id uuid not null,
  upstream_id text not null,
  uploaded_at timestamp with time zone not null,
  constraint media_upstream_pkey PRIMARY KEY (account_id, media_id, channel_id),
  constraint media_upstream_account_id_media_id_fkey FOREIGN KEY (account_id, media_id) REFERENCES media(account_id, id) ON DELETE CASCADE
);

create table member (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  constraint member_pkey PRIMARY KEY (account_id, user_id),
  constraint member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint member_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE,
  constraint member_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text, 'viewer'::text])))
);
CREATE INDEX member_by_user ON public.member USING btree (user_id);

create table message (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  direction text not null,
  type text not null,
  kind text not null,
  status text not null,
  text text,
  media json,
  content json,
  reply_to uuid,
  reply_to_wamid text,
  button_reply_id text,
  client_reference text,
  source text not null,
  wamid text,
  pricing_category text,
  pricing_billable boolean,
  error_code integer,
  error_message text,
  outcome_unknown boolean not null default false,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  failed_at timestamp with time zone,
  meta json,
  media_id uuid,
  untold boolean not null default false,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint message_pkey PRIMARY KEY (account_id, id),
  constraint deleted_words_are_gone CHECK (((deleted_at IS NULL) OR ((text IS NULL) AND (media IS NULL)))),
  constraint direction_is_known CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  constraint failed_says_why CHECK (((status <> 'failed'::text) OR (error_message IS NOT NULL))),
  constraint inbound_is_received CHECK (((direction = 'inbound'::text) = (status = 'received'::text))),
  constraint queued_has_not_left CHECK (((status <> 'queued'::text) OR (sent_at IS NULL))),
  constraint sent_at_only_of_outbound CHECK (((direction = 'outbound'::text) OR (sent_at IS NULL))),
  constraint sent_has_its_moment CHECK (((status <> 'sent'::text) OR (sent_at IS NOT NULL))),
  constraint source_is_known CHECK ((source = ANY (ARRAY['api'::text, 'crm'::text, 'ai'::text, 'chat'::text]))),
  constraint status_is_known CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'received'::text])))
) partition by RANGE (id);
CREATE INDEX message_by_contact ON ONLY public.message USING btree (account_id, contact_id, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX message_by_media ON ONLY public.message USING btree (account_id, media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX message_by_reference ON ONLY public.message USING btree (account_id, client_reference, id) WHERE (client_reference IS NOT NULL);
CREATE INDEX message_by_state ON ONLY public.message USING btree (account_id, livemode, status, source, id) WHERE (source <> ''::text);

create table message_author (
  account_id uuid not null,
  message_id uuid not null,
  user_id uuid not null,
  constraint message_author_pkey PRIMARY KEY (account_id, message_id)
);

create table message_change (
  account_id uuid not null,
  id uuid not null,
  livemode boolean not null,
  xid xid8 not null default pg_current_xact_id(),
  new_ids uuid[] not null,
  moved_ids uuid[] not null,
  changed_ids uuid[] not null,
  conversation_ids uuid[] not null,
  constraint message_change_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);
CREATE INDEX message_change_order ON ONLY public.message_change USING btree (xid, id);

create table message_own_reaction (
  account_id uuid not null,
  message_id uuid not null,
  emoji text not null,
  reacted_at timestamp with time zone not null,
  constraint message_own_reaction_pkey PRIMARY KEY (account_id, message_id)
);

create table message_reaction (
  account_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  emoji text not null,
  reacted_at timestamp with time zone not null,
  constraint message_reaction_pkey PRIMARY KEY (account_id, message_id, contact_id)
);

create table message_search (
  account_id uuid not null,
  message_id uuid not null,
  livemode boolean not null,
  channel_id uuid not null,
  contact_id uuid not null,
  words text not null,
  constraint message_search_pkey PRIMARY KEY (account_id, message_id)
);
CREATE INDEX message_search_words ON public.message_search USING gin (account_id, words gin_trgm_ops);

create table message_wamid (
  account_id uuid not null,
  channel_id uuid not null,
  wamid text not null,
  message_id uuid not null,
  constraint message_wamid_pkey PRIMARY KEY (account_id, channel_id, wamid)
) partition by HASH (account_id);

create table message_wamid_0 partition of message_wamid FOR VALUES WITH (modulus 4, remainder 0);

create table message_wamid_1 partition of message_wamid FOR VALUES WITH (modulus 4, remainder 1);

create table message_wamid_2 partition of message_wamid FOR VALUES WITH (modulus 4, remainder 2);

create table message_wamid_3 partition of message_wamid FOR VALUES WITH (modulus 4, remainder 3);

create table notice_change (
  account_id uuid not null,
  digest bytea not null,
  taken_at timestamp with time zone not null,
  constraint notice_change_pkey PRIMARY KEY (account_id, digest)
);
CREATE INDEX notice_change_taken ON public.notice_change USING btree (taken_at);

create table notice_set_aside (
  id uuid not null,
  inbox_id uuid not null,
  field text not null,
  item text,
  reason text not null,
  created_at timestamp with time zone not null,
  livemode boolean not null default true,
  account_id uuid,
  body bytea,
  awaits_number text,
  received_at timestamp with time zone,
  constraint notice_set_aside_pkey PRIMARY KEY (id)
);
CREATE INDEX notice_set_aside_awaits ON public.notice_set_aside USING btree (awaits_number, id) WHERE (awaits_number IS NOT NULL);
CREATE INDEX notice_set_aside_of_notice ON public.notice_set_aside USING btree (inbox_id);

create table one_time_link (
  hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  tries smallint not null default 0,
  used_at timestamp with time zone,
  mailed boolean not null default false,
  constraint one_time_link_pkey PRIMARY KEY (hash),
  constraint one_time_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX one_time_link_by_user ON public.one_time_link USING btree (user_id);

create table parked_status (
  account_id uuid not null,
  channel_id uuid not null,
  wamid text not null,
  status text not null,
  item text not null,
  livemode boolean not null,
  expires_at timestamp with time zone not null,
  is_known boolean not null default false,
  constraint parked_status_pkey PRIMARY KEY (account_id, channel_id, wamid, status)
);
CREATE INDEX parked_status_expiry ON public.parked_status USING btree (expires_at);
CREATE INDEX parked_status_known ON public.parked_status USING btree (expires_at) WHERE is_known;

create table person_search (
  account_id uuid not null,
  contact_id uuid not null,
  livemode boolean not null,
  words text not null,
  constraint person_search_pkey PRIMARY KEY (account_id, contact_id)
);
CREATE INDEX person_search_words ON public.person_search USING gin (account_id, words gin_trgm_ops);

create table plan (
  name text not null,
  franchise integer not null,
  constraint plan_pkey PRIMARY KEY (name),
  constraint franchise_is_not_negative CHECK ((franchise >= 0))
);

create table process (
  id uuid not null,
  host text not null,
  pid integer not null,
  started_at timestamp with time zone not null,
  alive_until timestamp with time zone not null,
  retiring boolean not null default false,
  constraint process_pkey PRIMARY KEY (id)
);

create table request_log (
  account_id uuid not null,
  id uuid not null,
  request_id text not null,
  key_id uuid not null,
  livemode boolean not null,
  method text not null,
  route text not null,
  status_code smallint not null,
  ms integer not null,
  error_code text,
  message_id uuid,
  constraint request_log_pkey PRIMARY KEY (account_id, id)
) partition by RANGE (id);
CREATE INDEX request_log_failed ON ONLY public.request_log USING btree (account_id, id) WHERE (status_code >= 400);

create table schema_migration (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table send_attempt (
  account_id uuid not null,
  message_id uuid not null,
  n smallint not null,
  started_at timestamp with time zone not null,
  ms integer not null,
  outcome text not null,
  status_code smallint,
  code integer,
  constraint send_attempt_pkey PRIMARY KEY (account_id, message_id, n)
) partition by RANGE (message_id);

create table send_queue (
  account_id uuid not null,
  message_id uuid not null,
  channel_id uuid not null,
  livemode boolean not null,
  seq bigint not null generated always as identity,
  shard smallint not null,
  contact_id uuid not null,
  recipient text not null,
  state smallint not null default 0,
  attempt smallint not null default 0,
  epoch bigint,
  accepted_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  not_before timestamp with time zone,
  intent_at timestamp with time zone,
  request_id uuid,
  constraint send_queue_pkey PRIMARY KEY (account_id, message_id),
  constraint in_flight_has_an_intent CHECK (((state = 0) OR (intent_at IS NOT NULL))),
  constraint send_state_is_known CHECK (((state >= 0) AND (state <= 2)))
) with (autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, fillfactor=70);
CREATE INDEX send_queue_lane ON public.send_queue USING btree (shard, account_id, channel_id, livemode, seq) WHERE (state = 0);
CREATE INDEX send_queue_open ON public.send_queue USING btree (shard, state) WHERE (state > 0);

create table shard (
  shard smallint not null,
  owner uuid,
  epoch bigint not null default 0,
  constraint shard_pkey PRIMARY KEY (shard),
  constraint shard_is_one_of_256 CHECK (((shard >= 0) AND (shard <= 255)))
) with (fillfactor=70);

create table spent_code (
  user_id uuid not null,
  code text not null,
  spent_at timestamp with time zone not null,
  constraint spent_code_pkey PRIMARY KEY (user_id, code),
  constraint spent_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);

create table template_state (
  account_id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  category text not null,
  seen_at timestamp with time zone not null,
  told_category text,
  told_at timestamp with time zone,
  constraint template_state_pkey PRIMARY KEY (account_id, waba_id, name, language)
);

create table template_submission (
  account_id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  body_hash bytea not null,
  submitted_at timestamp with time zone not null,
  repeated boolean not null,
  constraint template_submission_pkey PRIMARY KEY (account_id, waba_id, name, language)
);

create table usage (
  account_id uuid not null,
  day date not null,
  kind text not null,
  detail text not null,
  part smallint not null,
  amount integer not null,
  words text,
  constraint usage_pkey PRIMARY KEY (account_id, day, kind, detail, part),
  constraint usage_kind_is_known CHECK ((kind = ANY (ARRAY['accepted'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'received'::text, 'counted'::text, 'billable'::text, 'free'::text, 'error'::text, 'team_accepted'::text, 'team_sent'::text, 'team_delivered'::text, 'team_read'::text, 'team_failed'::text, 'team_counted'::text, 'team_billable'::text, 'team_free'::text, 'team_error'::text])))
) with (fillfactor=70);
CREATE INDEX usage_to_fold ON public.usage USING btree (day) WHERE (part > 0);

create table webhook (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  enabled boolean not null default true,
  description text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  retry_window_started_at timestamp with time zone,
  retries_in_window smallint not null default 0,
  constraint webhook_pkey PRIMARY KEY (account_id, id),
  constraint webhook_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table webhook_lane (
  account_id uuid not null,
  webhook_id uuid not null,
  shard smallint not null,
  earliest_due timestamp with time zone not null default 'infinity'::timestamp with time zone,
  failing_since timestamp with time zone,
  has_retries boolean not null default false,
  constraint webhook_lane_pkey PRIMARY KEY (account_id, webhook_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, fillfactor=70);
CREATE INDEX webhook_lane_due ON public.webhook_lane USING btree (account_id, webhook_id) WHERE (earliest_due < 'infinity'::timestamp with time zone);

create table auth.account (
  id uuid not null default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  scope text,
  password text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX "account_userId_idx" ON auth.account USING btree ("userId");

create table auth.session (
  id uuid not null default gen_random_uuid(),
  "expiresAt" timestamp with time zone not null,
  token text not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token),
  constraint "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX "session_userId_idx" ON auth.session USING btree ("userId");

create table auth."twoFactor" (
  id uuid not null default gen_random_uuid(),
  secret text not null,
  "backupCodes" text not null,
  "userId" uuid not null,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamp with time zone,
  constraint "twoFactor_pkey" PRIMARY KEY (id),
  constraint "twoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX "twoFactor_secret_idx" ON auth."twoFactor" USING btree (secret);
CREATE INDEX "twoFactor_userId_idx" ON auth."twoFactor" USING btree ("userId");

create table auth."user" (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text not null,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "twoFactorEnabled" boolean,
  language text,
  constraint user_pkey PRIMARY KEY (id),
  constraint user_email_key UNIQUE (email)
);

create table auth.verification (
  id uuid not null default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  constraint verification_pkey PRIMARY KEY (id)
);
CREATE INDEX verification_identifier_idx ON auth.verification USING btree (identifier);
