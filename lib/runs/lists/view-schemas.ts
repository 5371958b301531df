import { z } from 'zod'
import { RunFilter } from '@/lib/runs/schemas'
import { cleanText } from '@/lib/words/clean-text'

/** Every column that the list of runs can show, from left to right. */
export const runColumnKeys = [
  'prompt',
  'tags',
  'state',
  'configuration',
  'model',
  'connection',
  'user',
  'source',
  'rounds',
  'calls',
  'tokens',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'cost',
  'duration',
  'started',
  'id',
] as const
export type RunColumnKey = (typeof runColumnKeys)[number]

export const defaultRunColumns: readonly RunColumnKey[] = [
  'prompt',
  'state',
  'configuration',
  'model',
  'user',
  'tokens',
  'cost',
  'duration',
  'started',
]

/** Returns the columns with these keys, in the order of the list. The prompt leads to the run, so it is always there. */
export function runColumnsOf(keys: readonly string[]): RunColumnKey[] {
  return runColumnKeys.filter((key) => key === 'prompt' || keys.includes(key))
}

export const RunColumns = z
  .array(z.enum(runColumnKeys, 'There is no such column.'))
  .max(runColumnKeys.length, 'These are too many columns.')
  .transform(runColumnsOf)

const { page: _page, pageSize: _pageSize, cursor: _cursor, ...kept } = RunFilter.shape

/** Saved filters and order of a view. */
export const ViewQuery = z
  .strictObject(kept)
  .refine(({ status, reason }) => !reason || !status || status === 'ended', {
    path: ['reason'],
    message: 'Only runs that ended have a reason.',
  })
export type ViewQuery = z.output<typeof ViewQuery>

/** Returns what of a stored query can be read today: a filter of another version counts as not given. */
export function readViewQuery(stored: unknown): ViewQuery {
  const given = Object.entries(Object(stored)).filter(([name, value]) => {
    const field = Object.entries(kept).find(([each]) => each === name)?.[1]
    return field?.safeParse(value).success
  })
  return ViewQuery.safeParse(Object.fromEntries(given)).data ?? ViewQuery.parse({ sort: undefined })
}

export const viewLimits = { views: 50, nameCharacters: 60 } as const

export const ViewName = z
  .string()
  .max(1_000, 'The name is too long.')
  .transform((text) => cleanText(text).replaceAll(/\s+/g, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'Enter a name.')
      .max(viewLimits.nameCharacters, `A name has at most ${viewLimits.nameCharacters} characters.`)
      .refine(
        (name) => name.toLowerCase() !== 'all runs',
        'The list without a view has this name.',
      ),
  )

/** A view as people who may use it see it. `by`: the e-mail address of its owner. Times are ISO text in UTC. */
export const RunView = z.object({
  id: z.string(),
  name: z.string(),
  query: ViewQuery,
  columns: z.array(z.enum(runColumnKeys)),
  shared: z.boolean(),
  mine: z.boolean(),
  by: z.string(),
  updatedAt: z.string(),
})
export type RunView = z.output<typeof RunView>
