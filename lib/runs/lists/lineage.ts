import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { database, db } from '@/lib/kernel/db'
import { OverrideName, overrideWords } from '@/lib/protocol/run/override-names'
import { readRunRecord } from '@/lib/runs/read-run'
import { visibleRuns } from '@/lib/runs/require-run'
import { firstWords } from '@/lib/words/clean-text'
import { inSentence } from '@/lib/words/format'

/** A run beside another: the first words of its prompt, and in words what is changed between the two; "" = nothing that is known. */
export type RelatedRun = { runId: string; title: string; changed: string }

/** The run that a run is, with a change, and those that are it with a change, the newest first. `more`: how many others. */
export type Lineage = { from: RelatedRun | null; changed: RelatedRun[]; more: number }

const mostShown = 5

/** Returns the runs that a run belongs to by changes, of those that the caller may see. */
export async function readLineage(ctx: Ctx, runId: string): Promise<Lineage> {
  const { changedFrom } = await readRunRecord(ctx, runId)
  const later = { AND: [{ changedFrom: runId }, visibleRuns(ctx)] }
  const shown = await db().run.findMany({
    where: later,
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostShown,
  })
  const original = changedFrom && {
    where: { AND: [{ id: changedFrom }, visibleRuns(ctx)] },
    select: { id: true },
  }
  const from = original ? await db().run.findFirst(original) : null
  if (!from && shown.length === 0) return { from: null, changed: [], more: 0 }
  const facts = await readFacts([runId, ...shown.map(({ id }) => id), ...(from ? [from.id] : [])])
  const total = shown.length < mostShown ? shown.length : await db().run.count({ where: later })
  const self = facts.get(runId)
  const related = (id: string, words: (one: Facts, other: Facts) => string): RelatedRun[] => {
    const other = facts.get(id)
    if (!self || !other) return []
    return [{ runId: id, title: firstWords(other.prompt), changed: words(self, other) }]
  }
  return {
    from: (from && related(from.id, (own, older) => changedWords(older, own))[0]) ?? null,
    changed: shown.flatMap(({ id }) => related(id, (own, newer) => changedWords(own, newer))),
    more: total - shown.length,
  }
}

type Facts = {
  id: string
  prompt: string
  configurationId: string | null
  names: unknown
  /** The last round that it has from another run; null = none. */
  copied: number | null
}

async function readFacts(runIds: readonly string[]): Promise<Map<string, Facts>> {
  const { rows } = await database().pool.query<Facts>(
    `SELECT r.id, r.prompt, r."configurationId", e.data->'overridden' AS names,
       (e.data->'fork'->>'round')::int AS copied
     FROM runs r LEFT JOIN run_events e ON e."runId" = r.id AND e.seq = 1
     WHERE r.id = ANY($1::uuid[])`,
    [runIds],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns what the newer run has otherwise, in words: "prompt and model". */
function changedWords(older: Facts, newer: Facts): string {
  const names = OverrideName.array().parse(newer.names ?? [])
  const what = [
    ...(older.prompt === newer.prompt ? [] : ['prompt']),
    ...(older.configurationId === newer.configurationId ? [] : ['configuration']),
    ...(newer.copied === null ? [] : [`rounds after ${newer.copied}`]),
    ...names.map((name) => inSentence(overrideWords[name])),
  ]
  return new Intl.ListFormat('en').format(what)
}
