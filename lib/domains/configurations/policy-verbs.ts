import { z } from 'zod'
import { changeConfiguration } from '@/lib/domains/rows/configuration-history'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import type { Tx } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { AfterUntrusted, stricterAfterUntrusted } from '@/lib/protocol/flow'
import { DataClass } from '@/lib/protocol/tool'
import { AllowedNames, changedNames } from '@/lib/protocol/tool-access'
import { requireConfiguration } from './reads'
import { AllowGroup, ConfigurationPolicy } from './schemas'
import { policyReasons } from './shape'
import { namesToStore } from './write'

const Policy = AllowedNames.extend({
  enabled: z.boolean(),
  raisedDataClass: DataClass.nullable(),
  fourEyes: z.boolean(),
  afterUntrusted: AfterUntrusted,
  memoryInPrompt: z.boolean(),
})
type Policy = z.output<typeof Policy>

/**
 * Changes the policy of a configuration. What it takes away is also taken from active runs (SPEC G6,
 * G7; G-A, G-U). Returns whether anything changed. Throws ValidationError without a reason for raising the data class, for
 * switching the configuration or four eyes off, for letting calls write after what others can write, and for putting notes
 * into prompts.
 */
export const updateConfigurationPolicy = verb({
  name: 'configuration.update-policy',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary:
    'Changes what the runs of a configuration may be offered. Fields that are left out stay.',
  reason: 'optional',
  input: ConfigurationPolicy,
  output: z.boolean(),
  personsAct: async (wanted, client) => ((await liftsApproval(client, wanted)) ? 'approval' : null),
  transaction: changePolicy,
  run: async ({ tx, ctx, reason }, { id: named, ...wanted }) => {
    const { id } = await requireConfiguration(tx, named)
    const row = await tx.configuration.findUnique({ where: { id } })
    if (!row) throw new NotFoundError('The configuration')
    const before = Policy.parse(row)
    const changes = changesBetween(before, { ...wanted, ...changedNames(before, wanted) })
    if (Object.keys(changes).length === 0) return unchanged(false)
    requireReason(changes, reason)
    const { allowedToolGroups, allowedTools, ...facts } = changes
    const data = { ...facts, ...namesToStore(before, { allowedToolGroups, allowedTools }) }
    await changeConfiguration(tx, ctx, { configurationId: id, note: reason }, () =>
      tx.configuration.update({ where: { id }, data }),
    )
    return changed(true, {
      subject: id,
      before: { identifier: row.identifier, ...pick(before, changes) },
      after: { identifier: row.identifier, ...changes },
    })
  },
})

/** Returns whether calls that wait or are refused now would start, or one person could decide about calls of their own. */
async function liftsApproval(
  client: Tx,
  { id: named, fourEyes, afterUntrusted }: z.output<typeof ConfigurationPolicy>,
): Promise<boolean> {
  if (fourEyes !== false && afterUntrusted === undefined) return false
  const { id } = await requireConfiguration(client, named)
  const row = Policy.parse(await client.configuration.findUnique({ where: { id } }))
  if (fourEyes === false && row.fourEyes) return true
  const isStricter =
    afterUntrusted === undefined ||
    stricterAfterUntrusted(row.afterUntrusted, afterUntrusted) === afterUntrusted
  return !isStricter
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
  { enabled, raisedDataClass, fourEyes, afterUntrusted, memoryInPrompt }: Partial<Policy>,
  reason: string,
): void {
  if (reason !== '') return
  if (raisedDataClass) throw new ValidationError({ reason: policyReasons.raise })
  if (enabled === false) throw new ValidationError({ reason: policyReasons.switchOff })
  if (afterUntrusted === 'allow')
    throw new ValidationError({ reason: policyReasons.afterUntrusted })
  if (fourEyes === false) throw new ValidationError({ reason: policyReasons.withoutFourEyes })
  if (memoryInPrompt) throw new ValidationError({ reason: policyReasons.memoryInPrompt })
}

/**
 * Lets a group use a configuration, or no longer. Runs of members that lose it end (SPEC G-R). Returns whether anything
 * changed. Throws NotFoundError when there is no such configuration or group.
 */
export const allowGroup = verb({
  name: 'configuration.allow-group',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Lets the members of a group use a configuration, or no longer lets them.',
  reason: 'optional',
  input: AllowGroup,
  output: z.boolean(),
  audits: ['configuration.allow-group', 'configuration.disallow-group'],
  transaction: changePolicy,
  run: async ({ tx, ctx, reason }, { allowed, ...named }) => {
    const groupId = parseId(named.groupId, 'The group')
    const { id: configurationId, identifier } = await requireConfiguration(
      tx,
      named.configurationId,
    )
    const group = await tx.group.findUnique({ where: { id: groupId } })
    if (!group) throw new NotFoundError('The group')
    const key = { configurationId, groupId }
    const done = await changeConfiguration(tx, ctx, { configurationId, note: reason }, () =>
      allowed
        ? tx.configurationGroup.createMany({ data: [key], skipDuplicates: true })
        : tx.configurationGroup.deleteMany({ where: key }),
    )
    if (!done.changed) return unchanged(false)
    const facts = { configuration: identifier, groupId, group: group.name }
    return changed(true, {
      subject: configurationId,
      ...(allowed ? { after: facts } : { before: facts }),
      action: allowed ? 'configuration.allow-group' : 'configuration.disallow-group',
    })
  },
})
