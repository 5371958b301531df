import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type CheckRow, definitionOf, toAssertions } from '@/lib/domains/checks/reads'
import { CheckFields, checkLimits } from '@/lib/domains/checks/schemas'
import { CheckRecording } from '@/lib/protocol/check/check'
import { RunOverrides } from '@/lib/protocol/run/run-overrides'
import { RunFields } from '@/lib/runs/schemas'

/** A recorded result as a file has it. Its images are files of one installation. */
const RecordingInFile = z.unknown().transform((given, issues) => {
  const { data, error } = CheckRecording.safeParse(given)
  // A field that no result has would be lost without a word.
  if (data && !('images' in data.outcome) && isDeepStrictEqual(data, given)) return data
  const message = error
    ? 'This is no recorded result. Export the check again.'
    : 'A recorded result has images or unknown fields. Leave them out.'
  issues.addIssue({ code: 'custom', message })
  return z.NEVER
})

const { model: _, ...overrides } = RunOverrides.shape

/** One check as a file has it: nothing that is of one installation only, such as ids and people. */
export const CheckInFile = z
  .strictObject({
    name: CheckFields.shape.name,
    description: CheckFields.shape.description.default(''),
    /** Identifier of the configuration. */
    configuration: z.string().trim().min(1, 'Name a configuration.').max(100),
    prompt: RunFields.shape.prompt
      .unwrap()
      .refine((text) => text.trim() !== '', 'Enter a prompt first.'),
    tools: RunFields.shape.tools,
    maxRounds: RunFields.shape.maxRounds,
    overrides: z.strictObject(overrides).nullable().default(null),
    outputSchema: RunFields.shape.outputSchema,
    costCap: RunFields.shape.costCap,
    sources: CheckFields.shape.sources.default({}),
    recordings: z
      .array(RecordingInFile)
      .max(20_000, 'At most 20,000 recorded results.')
      .default([]),
    leftOut: z.array(z.string().max(500)).max(1_000, 'At most 1,000 sentences.').default([]),
    assertions: CheckFields.shape.assertions,
    tries: CheckFields.shape.tries.default(1),
    passes: CheckFields.shape.passes.optional(),
    suites: CheckFields.shape.suites.default([]),
  })
  .refine(isStorable, 'It has NUL characters or broken text, which cannot be stored. Remove them.')
export type CheckInFile = z.output<typeof CheckInFile>

function isStorable(entry: unknown): boolean {
  let isSo = true
  JSON.stringify(entry, (_, value) => {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) isSo = false
    return value
  })
  return isSo
}

/** A file of checks, as it is exported and imported. */
export const CheckFile = z.strictObject({
  toolgateChecks: z.literal(1, 'This is no file of checks, or one of a newer Toolgate.'),
  checks: z
    .array(CheckInFile)
    .min(1, 'The file has no checks.')
    .max(checkLimits.checks, `At most ${checkLimits.checks} checks.`)
    .refine(
      (checks) => new Set(checks.map(({ name }) => name)).size === checks.length,
      'Two checks of the file have the same name. Rename one.',
    ),
})
export type CheckFile = z.output<typeof CheckFile>

/** Returns why a check cannot be in a file, as a part of a sentence; null = it can. */
export function whyNotInFile(check: CheckRow): string | null {
  const { files, overrides: changes } = definitionOf(check)
  if (check.configuration === null) return 'its configuration was deleted'
  if (check.hadTask) return 'its runs have a task'
  if (files.length > 0) return 'its prompt has files'
  if (changes?.model !== undefined) return 'its runs have another model than their configuration'
  return null
}

/** Returns a check as a file has it. `identifier`: of its configuration. */
export function toCheckInFile(check: CheckRow, identifier: string): CheckInFile {
  const { files: _files, recordings, overrides: changes, ...definition } = definitionOf(check)
  const { model: _model, ...others } = changes ?? {}
  const withImages = recordings.filter(({ outcome }) => 'images' in outcome).length
  return {
    name: check.name,
    description: check.description,
    configuration: identifier,
    ...definition,
    overrides: changes && others,
    recordings: recordings.map(withoutImages),
    leftOut: [...check.leftOut, ...(withImages > 0 ? [imagesMissing] : [])],
    assertions: toAssertions(check),
    tries: check.tries,
    passes: check.passes,
    suites: check.suites,
  }
}

const imagesMissing = 'Images of results are not in files of checks.'

function withoutImages({ outcome, ...recording }: CheckRecording): CheckRecording {
  if (outcome.type !== 'ok') return { ...recording, outcome }
  const { images: _, ...rest } = outcome
  return { ...recording, outcome: rest }
}
