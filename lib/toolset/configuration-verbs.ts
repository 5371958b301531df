import { db } from '@/lib/kernel/db'
import 'server-only'
import { z } from 'zod'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import {
  ConfigurationPolicy,
  CreateConfiguration,
  SavedConfiguration,
  UpdateConfiguration,
} from '@/lib/domains/configurations/schemas'
import { createConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { verb } from '@/lib/kernel/verb'
import { knownNames, unknown } from './known-names'

/** Creates a configuration like `createConfiguration`, for tool groups that exist. */
export const addConfiguration = verb({
  ...createConfiguration.definition,
  input: CreateConfiguration,
  output: z.object({ id: z.string() }),
  transaction: false,
  run: async ({ ctx }, configuration) => {
    await requireToolGroups(configuration.allowedToolGroups ?? [])
    return createConfiguration(ctx, configuration)
  },
})

/** Updates one like `updateConfiguration`, for tool groups that exist or that it already allows. */
export const editConfiguration = verb({
  ...updateConfiguration.definition,
  input: UpdateConfiguration,
  output: SavedConfiguration,
  transaction: false,
  run: async ({ ctx }, change) => {
    await requireAddedToolGroups(ctx, change)
    return updateConfiguration(ctx, change)
  },
})

/** Changes the policy like `updateConfigurationPolicy`, for tool groups that exist or that it already allows. */
export const governConfiguration = verb({
  ...updateConfigurationPolicy.definition,
  input: ConfigurationPolicy,
  output: z.boolean(),
  transaction: false,
  run: async ({ ctx, reason }, policy) => {
    await requireAddedToolGroups(ctx, policy)
    return updateConfigurationPolicy(ctx, { ...policy, reason })
  },
})

type Wanted = { id: string; allowedToolGroups?: readonly string[] | null | undefined }

async function requireAddedToolGroups(ctx: Ctx, { id, allowedToolGroups }: Wanted): Promise<void> {
  if (!allowedToolGroups?.length) return
  const { form } = await readEditableConfiguration(ctx, { id })
  const known = new Set(form.allowedToolGroups)
  await requireToolGroups(allowedToolGroups.filter((name) => !known.has(name)))
}

/** Throws ValidationError for a group without tools, because a misspelt one would allow less without an error. */
async function requireToolGroups(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { groups } = await knownNames(db())
  const missing = names.find((name) => !groups.has(name))
  if (missing === undefined) return
  throw new ValidationError({ allowedToolGroups: unknown('tool group', missing, groups) })
}
