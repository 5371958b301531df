import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { TaskValues } from '@/lib/domains/tasks/shared/task-form'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import type { Schedule } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { isUnlimited } from '@/lib/protocol/key-limits'
import {
  consentNeed,
  type Reading,
  readConsentState,
  readContent,
  readingOf,
  readOfferedTools,
} from './consent'

/** A schedule of somebody else that runs as the reader, or asks to. `hash` stands for everything that is shown of it. */
const Consent = z.object({
  scheduleId: z.string(),
  name: z.string(),
  hash: z.string(),
  state: z.enum(['waiting', 'given', 'denied']),
  /** The addresses of those who wrote or changed it; none = nobody knows. */
  askedBy: z.array(z.string()),
  cron: z.string(),
  timeZone: z.string(),
  /** The prompt of its task has no values filled in. */
  prompt: z.string(),
  task: z.object({ name: z.string(), version: z.int() }).nullable(),
  variables: TaskValues,
  configurations: z.array(z.string()),
  /** The names of the tools that its runs could call now. */
  tools: z.array(z.string()),
  /** When the reader answered; null = not yet. */
  answeredAt: z.string().nullable(),
})
export type Consent = z.output<typeof Consent>

/** Returns what the caller is asked to agree to, and what they agreed to, by name. */
export const listConsents = verb({
  name: 'schedule.list-consents',
  role: 'member',
  scope: 'approvals:read',
  summary: 'Lists the schedules of others that run as the caller or ask to.',
  input: z.object({}),
  output: z.object({ consents: z.array(Consent) }),
  transaction: false,
  run: async ({ ctx }) => {
    refuseLimitedKey(ctx)
    return { consents: await readConsents(ctx) }
  },
})

/** Returns how many schedules wait for the consent of the caller. */
export async function countConsents(ctx: Ctx): Promise<number> {
  return (await readConsents(ctx)).filter(({ state }) => state === 'waiting').length
}

/**
 * Returns how many of them wait without asking about their tools, which takes longer, for the badge of every page: one whose tools
 * alone became more is not counted.
 */
export async function countNewConsents(ctx: Ctx): Promise<number> {
  const where = { userId: ctx.actor.userId, enabled: true }
  const [reading, rows] = [readingOf(db()), await db().schedule.findMany({ where })]
  let count = 0
  for (const row of rows) {
    const need = consentNeed(row, await readContent(reading, row))
    if (need && need.hash !== row.consentHash) count += 1
  }
  return count
}

async function readConsents(ctx: Ctx): Promise<Consent[]> {
  const rows = await db().schedule.findMany({
    where: { userId: ctx.actor.userId },
    orderBy: [{ name: 'asc' }],
  })
  const [reading, found] = [readingOf(db()), [] as Consent[]]
  for (const row of rows) {
    const consent = await readConsent(reading, row)
    // One that is off asks for nothing.
    if (consent && (row.enabled || consent.state === 'given')) found.push(consent)
  }
  return found
}

/** Returns what the person of a schedule is shown of it; null = they need not agree. */
async function readConsent(reading: Reading, row: Schedule): Promise<Consent | null> {
  const content = await readContent(reading, row)
  const need = consentNeed(row, content)
  if (!need) return null
  const state = await readConsentState(reading, row, content, need)
  const tools = await readOfferedTools(reading, row, content)
  const users = await reading.tx.user.findMany({
    where: { id: { in: need.askedBy } },
    orderBy: { email: 'asc' },
  })
  const { task, configurations } = content
  return {
    scheduleId: row.id,
    name: row.name,
    cron: row.cron,
    timeZone: row.timeZone,
    hash: createHash('sha256')
      .update(JSON.stringify([need.hash, content.hash, tools]))
      .digest('hex'),
    state: state === 'given' || state === 'denied' ? state : 'waiting',
    askedBy: users.map(({ email }) => email),
    prompt: task?.prompt ?? row.prompt,
    task: task && { name: task.name, version: task.version },
    variables: TaskValues.parse(row.variables),
    configurations: configurations.map(({ name }) => name),
    tools,
    answeredAt: row.consentAt?.toISOString() ?? null,
  }
}

const Given = z.object({ scheduleId: z.string() })

/**
 * Answers whether a schedule of others may run as the caller (SPEC A10). Throws ConflictError when it is not what they were shown,
 * NotFoundError for a schedule that runs as somebody else, and ForbiddenError for a limited API key, and in a terminal for a yes.
 */
export const answerConsent = verb({
  name: 'schedule.consent',
  role: 'member',
  scope: 'approvals:write',
  summary: 'Approves or denies that a schedule of others runs as the caller. Nobody else can.',
  input: Given.extend({ hash: z.string().max(100), decision: z.enum(['approve', 'deny']) }),
  audits: ['schedule.approve', 'schedule.deny'],
  run: async ({ tx, ctx }, { scheduleId, hash, decision }) => {
    refuseLimitedKey(ctx)
    if (ctx.via === 'cli' && decision === 'approve')
      throw new ForbiddenError(
        'In a terminal, anybody may act for any account. Its person approves it in the console, or with an API key of their own.',
      )
    const row = await requireOwn(tx, ctx, scheduleId)
    const reading = readingOf(tx)
    const consent = await readConsent(reading, row)
    if (!consent) throw new ConflictError('This schedule needs no consent: nobody else wrote it.')
    if (consent.hash !== hash)
      throw new ConflictError('The schedule changed after you opened it. Look at it again.')
    const need = consentNeed(row, await readContent(reading, row))
    const isGiven = decision === 'approve'
    await tx.schedule.update({
      where: { id: row.id },
      data: {
        consentHash: need?.hash ?? null,
        consentGiven: isGiven,
        consentAt: new Date(),
        consentTools: consent.tools,
        updatedAt: row.updatedAt,
      },
    })
    const { tools, askedBy, configurations } = consent
    return changed(undefined, {
      subject: row.id,
      action: `schedule.${decision}` as const,
      before: { consent: consent.state },
      after: {
        consent: isGiven ? 'given' : 'denied',
        runAs: ctx.actor.email,
        askedBy,
        configurations,
        tools,
      },
    })
  },
})

/** Takes the consent of the caller back: the schedule starts nothing more. Active runs continue. */
export const withdrawConsent = verb({
  name: 'schedule.withdraw-consent',
  role: 'member',
  scope: 'approvals:write',
  summary:
    'Takes back the consent of the caller that a schedule runs as them. Active runs continue.',
  input: Given,
  run: async ({ tx, ctx }, { scheduleId }) => {
    refuseLimitedKey(ctx)
    const row = await requireOwn(tx, ctx, scheduleId)
    if (!row.consentGiven) return unchanged(undefined)
    await tx.schedule.update({
      where: { id: row.id },
      data: { consentGiven: false, consentAt: new Date(), updatedAt: row.updatedAt },
    })
    return changed(undefined, {
      subject: row.id,
      before: { consent: 'given' },
      after: { consent: 'withdrawn', runAs: ctx.actor.email },
    })
  },
})

/** Throws NotFoundError for a schedule that runs as somebody else, as for none (SPEC A3). */
async function requireOwn(tx: Tx, ctx: Ctx, scheduleId: string): Promise<Schedule> {
  const id = parseId(scheduleId, 'This schedule')
  const row = await tx.schedule.findFirst({ where: { id, userId: ctx.actor.userId } })
  if (!row) throw new NotFoundError('This schedule')
  return row
}

function refuseLimitedKey({ keyLimits }: Ctx): void {
  if (!keyLimits || isUnlimited(keyLimits)) return
  throw new ForbiddenError(
    'A limited API key cannot see or answer which schedules run as its owner. Use the console.',
  )
}
