import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { DataClass } from '../../protocol/tool'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { ConfigurationPolicy } from './schemas'

type Policy = {
  enabled: boolean
  allowedToolGroups: string[] | null
  raisedDataClass: DataClass | null
  fourEyes: boolean
}

const Names = z.array(z.string()).nullable()

/**
 * Changes what a configuration's runs may be offered, in runs that are going, too, where that takes something away
 * (SPEC section 4, gates 6 and 7; G-A). Fields that are left out stay. Raising the data class, switching the
 * configuration off and switching four eyes off need a reason. False when nothing changed. Admins only.
 */
export async function updateConfigurationPolicy(
  ctx: Ctx,
  configurationId: string,
  input: ConfigurationPolicy,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  const { reason, ...wanted } = parseInput(ConfigurationPolicy, input)
  return changePolicy(async (tx) => {
    const row = await tx.configuration.findUnique({ where: { id } })
    if (!row) throw new NotFoundError('The configuration')
    const before = policyOf(row)
    const changes = changesBetween(before, wanted)
    if (Object.keys(changes).length === 0) return false
    requireReason(changes, reason)
    const { allowedToolGroups, ...facts } = changes
    const data = {
      ...facts,
      ...(allowedToolGroups !== undefined && {
        allowedToolGroups: allowedToolGroups ?? Prisma.DbNull,
      }),
    }
    await changeConfiguration(tx, ctx, { configurationId: id, note: reason }, () =>
      tx.configuration.update({ where: { id }, data }),
    )
    await recordAudit(tx, ctx, {
      action: 'configuration.update-policy',
      objectType: 'configuration',
      objectId: id,
      before: { identifier: row.identifier, ...pick(before, changes) },
      after: { identifier: row.identifier, ...changes },
      reason,
    })
    return true
  })
}

function policyOf(row: {
  enabled: boolean
  allowedToolGroups: unknown
  raisedDataClass: string | null
  fourEyes: boolean
}): Policy {
  return {
    enabled: row.enabled,
    allowedToolGroups: Names.parse(row.allowedToolGroups),
    raisedDataClass: DataClass.nullable().parse(row.raisedDataClass),
    fourEyes: row.fourEyes,
  }
}

function changesBetween(before: Policy, wanted: Partial<Policy>): Partial<Policy> {
  const entries = Object.entries(wanted).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(before[key as keyof Policy]),
  )
  return Object.fromEntries(entries)
}

function pick(before: Policy, changes: Partial<Policy>): Partial<Policy> {
  return Object.fromEntries(Object.entries(before).filter(([key]) => key in changes))
}

function requireReason(
  { enabled, raisedDataClass, fourEyes }: Partial<Policy>,
  reason: string,
): void {
  if (reason !== '') return
  if (raisedDataClass) {
    throw new ValidationError({
      reason: 'Say why this provider may receive more sensitive data.',
    })
  }
  if (enabled === false) {
    throw new ValidationError({ reason: 'Give a reason: other people use this configuration.' })
  }
  if (fourEyes === false) {
    throw new ValidationError({
      reason: 'Say why the person who starts a run may also approve its calls.',
    })
  }
}
