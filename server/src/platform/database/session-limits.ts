/** How long what one connection does may take at the server, in milliseconds; 0: as long as it takes. */
export type SessionLimits = { statementMs: number; lockMs: number; transactionMs: number; idleInTransactionMs: number }

/** A pool closes a connection that rests for 10 s. One that rests longer belongs to a process that is stopped, or gone without a word. */
const idleMs = 300_000
/** How soon the server notices that nobody waits for a statement any more. */
const clientCheckMs = 1_000

/**
 * SQL that sets these limits for the whole session. The server then ends what its client gave up, also when the client is stopped or dead.
 * A limit that the server does not know, or cannot keep on its system, is left out.
 */
export function sessionLimits({ statementMs, lockMs, transactionMs, idleInTransactionMs }: SessionLimits): string {
  return `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs};
  set idle_in_transaction_session_timeout = ${idleInTransactionMs}; set idle_session_timeout = ${idleMs};
  do $$ begin
    if current_setting('server_version_num')::integer >= 170000 then perform set_config('transaction_timeout', '${transactionMs}', false); end if;
    begin
      perform set_config('client_connection_check_interval', '${clientCheckMs}', false);
    exception when invalid_parameter_value then null;
    end;
  end $$`
}

/** SQL that begins a transaction with these limits. Behind a pooler a transaction has them, whichever connection it gets. */
export function beginWith({ statementMs, lockMs, idleInTransactionMs }: SessionLimits): string {
  return `begin; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
  set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`
}
