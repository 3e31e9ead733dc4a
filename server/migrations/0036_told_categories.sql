-- What a notice last told of a template's category, beside what was told last by any way. Null: no notice has told one since this version.
-- Running code tolerates it: it writes and reads the other columns as before.
alter table template_state add column told_category text;
alter table template_state add column told_at timestamptz;
