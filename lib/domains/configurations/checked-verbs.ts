import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { unknownName } from '@/lib/words/nearest-name'
import { updateConfigurationPolicy } from './policy-verbs'
import { readEditableConfiguration } from './reads'
import {
  ConfigurationPolicy,
  CreateConfiguration,
  SavedConfiguration,
  UpdateConfiguration,
} from './schemas'
import { createConfiguration, updateConfiguration } from './verbs'

type ReadNames = (client: Tx) => Promise<KnownNames>

/** Returns the verbs that first require that the tool groups and tools exist. */
export function checkedConfigurationVerbs(readNames: ReadNames) {
  /** Creates a configuration like `createConfiguration`, for tool groups and tools that exist. */
  const addConfiguration = verb({
    ...createConfiguration.definition,
    input: CreateConfiguration,
    output: z.object({ id: z.string() }),
    transaction: false,
    run: async ({ ctx }, configuration) => {
      await requireNames(readNames, configuration)
      return createConfiguration(ctx, configuration)
    },
  })

  /** Updates one like `updateConfiguration`, for tool groups and tools that exist or that it already allows. */
  const editConfiguration = verb({
    ...updateConfiguration.definition,
    input: UpdateConfiguration,
    output: SavedConfiguration,
    transaction: false,
    run: async ({ ctx }, change) => {
      await requireAddedNames(readNames, ctx, change)
      return updateConfiguration(ctx, change)
    },
  })

  /** Changes the policy like `updateConfigurationPolicy`, for tool groups and tools that exist or that it already allows. */
  const governConfiguration = verb({
    ...updateConfigurationPolicy.definition,
    input: ConfigurationPolicy,
    output: z.boolean(),
    transaction: false,
    run: async ({ ctx, reason }, policy) => {
      await requireAddedNames(readNames, ctx, policy)
      return updateConfigurationPolicy(ctx, { ...policy, reason })
    },
  })
  return { addConfiguration, editConfiguration, governConfiguration }
}

type Wanted = {
  allowedToolGroups?: readonly string[] | null | undefined
  allowedTools?: readonly string[] | undefined
}

async function requireAddedNames(
  readNames: ReadNames,
  ctx: Ctx,
  { id, allowedToolGroups, allowedTools }: Wanted & { id: string },
): Promise<void> {
  if (!allowedToolGroups?.length && !allowedTools?.length) return
  const { form } = await readEditableConfiguration(ctx, { id })
  await requireNames(readNames, {
    allowedToolGroups: allowedToolGroups?.filter((name) => !form.allowedToolGroups?.includes(name)),
    allowedTools: allowedTools?.filter((name) => !form.allowedTools.includes(name)),
  })
}

/** Throws ValidationError for groups and tools that do not exist, because a misspelt one would allow less without an error. */
async function requireNames(
  readNames: ReadNames,
  { allowedToolGroups, allowedTools = [] }: Wanted,
): Promise<void> {
  const wanted = allowedToolGroups ?? []
  if (wanted.length + allowedTools.length === 0) return
  const { groups, tools } = await readNames(db())
  const group = wanted.find((name) => !groups.has(name))
  const tool = allowedTools.find((name) => !tools.has(name))
  if (group === undefined && tool === undefined) return
  throw new ValidationError({
    ...(group !== undefined && { allowedToolGroups: unknownName('tool group', group, groups) }),
    ...(tool !== undefined && { allowedTools: unknownName('tool', tool, tools) }),
  })
}
