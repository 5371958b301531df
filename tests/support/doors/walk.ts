import type { RowChange, WatchedTables } from './watch-tables'
import type { WatchedVerbs } from './watch-verbs'

/** Tables with decisions that a limited key may write. */
const ofLimited = new Set(['audit_entries', 'conversations', 'files', 'run_files', 'run_views'])
const starts = /^(run|panel|task|coordination)\.(start|run)/

/** Counts what is tried and keeps what is open. Tables and verbs are those that it watches. */
export function beginWalk(tables: WatchedTables, verbs: WatchedVerbs) {
  const open: string[] = []
  let tries = 0
  const request = new Map<string, Set<string>>()
  const shortly = ({ table, what, row }: RowChange) =>
    `${what} ${table} ${String(row.action ?? row.name ?? row.id ?? '')}`
  const report = (where: string, changes: RowChange[]) => {
    if (changes.length > 0) open.push(`${where} changed ${changes.map(shortly).join(', ')}`)
  }
  return {
    verbs,
    /** Returns what was found open since the last time. */
    takeOpen: () => open.splice(0),
    tries: () => tries,
    /** The verbs that asked such a sender for a person or a proof. */
    askedOf: (who: string): ReadonlySet<string> => request.get(who) ?? new Set(),
    tried: (count = 1) => {
      tries += count
    },
    isOpen: (what: string) => {
      open.push(what)
    },
    requested: (who: string, names: readonly string[]) => {
      request.set(who, new Set([...(request.get(who) ?? []), ...names]))
    },
    /** Forgets what changed until now. */
    settle: async () => {
      await tables.take()
    },
    nothingChanged: async (where: string) => report(where, await tables.take()),
    onlyOwnChanged: async (where: string, userId: string) => {
      const changes = await tables.take()
      const isOwn = ({ row }: RowChange) => JSON.stringify(row).includes(userId)
      const own = JSON.stringify(changes.filter(isOwn))
      // A row that their own row names, such as its secret, is theirs, too.
      report(
        where,
        changes.filter((each) => !isOwn(each) && !own.includes(String(each.row.id))),
      )
    },
    onlyWithinLimits: async (where: string) => {
      const changes = await tables.take()
      report(
        where,
        changes.filter(
          ({ table, row }) => !ofLimited.has(table) || starts.test(String(row.action)),
        ),
      )
    },
  }
}
export type Walk = ReturnType<typeof beginWalk>
