import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { authorId, type Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { formatCount } from '@/lib/words/format'

// The caller checks whether a tool or a group exists, because the database does not know what is installed.
const Name = z.string().min(1).max(200)

/** Switches a tool. Once it resolves, no call that this forbids starts in any process (SPEC G-F). */
export const setToolOverride = verb({
  name: 'tool.set',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Stores whether a tool is on for this installation.',
  reason: 'optional',
  input: z.object({ toolName: Name, enabled: z.boolean() }),
  audits: ['tool.switch-on', 'tool.switch-off'],
  transaction: changePolicy,
  run: async ({ ctx, tx, reason }, { toolName, enabled }) => {
    const before = await tx.toolOverride.findUnique({ where: { toolName } })
    const answer = { enabled, ...authorOf(ctx, reason) }
    await tx.toolOverride.upsert({
      where: { toolName },
      create: { toolName, ...answer },
      update: answer,
    })
    return changed(undefined, {
      action: enabled ? 'tool.switch-on' : 'tool.switch-off',
      subject: toolName,
      before: before && { enabled: before.enabled, reason: before.reason },
      after: { enabled, reason },
    })
  },
})

/** Resets a tool to its own default. Does nothing when there was no override. */
export const resetToolOverride = verb({
  name: 'tool.reset',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Takes back what an admin stored for a tool.',
  input: z.object({ toolName: Name }),
  transaction: changePolicy,
  run: async ({ tx }, { toolName }) => {
    const before = await tx.toolOverride.findUnique({ where: { toolName } })
    if (!before) return unchanged(undefined)
    await tx.toolOverride.delete({ where: { toolName } })
    const { enabled, reason } = before
    return changed(undefined, { subject: toolName, before: { enabled, reason } })
  },
})

const Limit = z
  .int('Enter a whole number.')
  .min(1, 'At least 1 call. Switch the tool off to allow none.')
  .max(1_000, `At most ${formatCount(1_000)} calls.`)
  .nullable()

/** Each limit that is left out stays; null = none. */
export const ToolLimits = z.object({ perMinute: Limit.optional(), perRun: Limit.optional() })

/** Limits how often calls of a tool start. Once it resolves, each call that starts in any process is counted by it. */
export const setToolLimit = verb({
  name: 'tool.limit',
  role: 'admin',
  scope: null,
  summary: 'Stores how often a tool may be called in a minute and in a run.',
  reason: 'optional',
  input: ToolLimits.extend({ toolName: Name }),
  transaction: changePolicy,
  run: async ({ ctx, tx, reason }, { toolName, ...given }) => {
    const stored = await tx.toolLimit.findUnique({ where: { toolName } })
    const before = { perMinute: stored?.perMinute ?? null, perRun: stored?.perRun ?? null }
    const after = {
      perMinute: given.perMinute === undefined ? before.perMinute : given.perMinute,
      perRun: given.perRun === undefined ? before.perRun : given.perRun,
    }
    if (JSON.stringify(after) === JSON.stringify(before)) return unchanged(undefined)
    const { reason: _reason, ...author } = authorOf(ctx, reason)
    const isNone = after.perMinute === null && after.perRun === null
    await (isNone
      ? tx.toolLimit.delete({ where: { toolName } })
      : tx.toolLimit.upsert({
          where: { toolName },
          create: { toolName, ...after, ...author },
          update: { ...after, ...author },
        }))
    return changed(undefined, { subject: toolName, before, after })
  },
})

/**
 * Says whether calls of a tool wait for approval. Once it resolves, no call that has to wait starts without approval in any
 * process. `byItself`: whether they wait while nothing is stored. That a tool need not wait which would not is not stored, so
 * that it waits when it comes to write.
 */
export const setToolApproval = verb({
  name: 'tool.set-approval',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Stores whether every call of a tool waits for approval.',
  reason: 'optional',
  input: z.object({ toolName: Name, asks: z.boolean(), byItself: z.boolean() }),
  transaction: changePolicy,
  run: async ({ ctx, tx, reason }, { toolName, asks, byItself }) => {
    const before = await tx.toolApproval.findUnique({ where: { toolName } })
    if ((before?.asks ?? byItself) === asks) return unchanged(undefined)
    const answer = { asks, ...authorOf(ctx, reason) }
    await (asks || byItself
      ? tx.toolApproval.upsert({
          where: { toolName },
          create: { toolName, ...answer },
          update: answer,
        })
      : tx.toolApproval.delete({ where: { toolName } }))
    return changed(undefined, {
      subject: toolName,
      before: { asks: before?.asks ?? byItself, ...(before && { reason: before.reason }) },
      after: { asks, reason },
    })
  },
})

/**
 * On, the tools' own switches count again. Once it resolves, no call that the new answer forbids starts in any process
 * (SPEC G3; G-F). Switching on what is on changes nothing. Throws ValidationError when the group goes
 * off without a reason.
 */
export const setToolGroup = verb({
  name: 'tool-group.set',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Stores whether a whole group of tools is off.',
  reason: 'optional',
  input: z.object({ toolGroup: Name, enabled: z.boolean() }),
  audits: ['tool-group.switch-on', 'tool-group.switch-off'],
  transaction: changePolicy,
  run: async ({ ctx, tx, reason }, { toolGroup, enabled }) => {
    if (!enabled && reason === '') throw new ValidationError({ reason: reasonWords })
    const before = await tx.toolGroupOff.findUnique({ where: { toolGroup } })
    if (enabled && !before) return unchanged(undefined)
    const off = authorOf(ctx, reason)
    await (enabled
      ? tx.toolGroupOff.delete({ where: { toolGroup } })
      : tx.toolGroupOff.upsert({
          where: { toolGroup },
          create: { toolGroup, ...off },
          update: off,
        }))
    return changed(undefined, {
      action: enabled ? 'tool-group.switch-on' : 'tool-group.switch-off',
      subject: toolGroup,
      before: { enabled: !before, ...(before && { reason: before.reason }) },
      after: { enabled, ...(!enabled && { reason }) },
    })
  },
})

const reasonWords = 'Enter a reason. It is shown to people whose calls are denied.'

function authorOf(ctx: Ctx, reason: string) {
  const { email: changedByLabel } = ctx.actor
  return { reason, changedBy: authorId(ctx), changedByLabel, changedAt: new Date() }
}
