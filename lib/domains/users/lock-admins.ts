import type { Tx } from '../../kernel/db'

/** Serialises whatever changes how many admins there are, so that there is never none (SPEC A3). */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7240102::bigint)`
}
