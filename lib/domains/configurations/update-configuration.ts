import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { diffConfigurations, differingParts } from '../../protocol/configuration-diff'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { UpdateConfiguration } from './schemas'
import { withOwnIdentifier } from './with-own-identifier'
import { writeConfiguration } from './write-configuration'

export type SavedConfiguration = { version: number; changed: boolean }

/**
 * Changes a configuration for runs that begin after it; runs that are going keep their snapshot, narrowed by tool groups
 * taken away (ADR 007). Its switch, four eyes and a raised data class have their own control, `updateConfigurationPolicy`.
 * StaleError when it is not at `version` any more, ConflictError when the identifier is taken. Admins only.
 */
export async function updateConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: UpdateConfiguration,
): Promise<SavedConfiguration> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  const { version, note, ...wanted } = parseInput(UpdateConfiguration, input)
  return withOwnIdentifier(() =>
    changePolicy(async (tx) => {
      const change = { configurationId: id, version, note }
      const done = await changeConfiguration(tx, ctx, change, (before) =>
        writeConfiguration(tx, id, before, wanted),
      )
      if (!done.changed) return { version, changed: false }
      const { before, after } = done
      const differences = diffConfigurations(before, after)
      await recordAudit(tx, ctx, {
        action: 'configuration.update',
        objectType: 'configuration',
        objectId: id,
        before: { identifier: before.identifier, ...differingParts(before, differences) },
        after: { identifier: after.identifier, ...differingParts(after, differences) },
        reason: note,
      })
      return { version: done.version, changed: true }
    }),
  )
}
