import 'server-only'
import type { WrittenFields } from '@/lib/edge/resource-options'
import { authorId } from '@/lib/kernel/context'
import type { ChangeTx } from '@/lib/kernel/db'
import { isUnlimited, noLimits } from '@/lib/protocol/key-limits'
import {
  consentNeed,
  type Reading,
  readConsentState,
  readContent,
  readingOf,
  readOfferedTools,
  type ScheduleRow,
} from './consent'

/**
 * Stores the authors of a schedule (SPEC A10): the person who changes it, and those who wrote what it starts or changed it since.
 * An author who is no admin any more is left out, so that a change takes the schedule over from them; one who is suspended stays.
 * Switching it off makes
 * nobody an author.
 */
export async function writeAuthors(
  tx: ChangeTx,
  id: string,
  { ctx, before, names }: WrittenFields<ScheduleRow>,
): Promise<void> {
  const { enabled } = await tx.schedule.findUniqueOrThrow({ where: { id } })
  if (!enabled && names.every((name) => name === 'enabled')) return
  const [author, isNew] = [authorId(ctx), before === null]
  const isRewritten = names.includes('prompt') || names.includes('taskId')
  await tx.$executeRaw`
    UPDATE schedules s SET "createdById" = CASE WHEN ${isNew} THEN ${author}::uuid ELSE s."createdById" END,
      authors = ARRAY(SELECT a FROM (
        SELECT ${author}::uuid AS a
        UNION SELECT u.id FROM users u WHERE u.id = ANY(s.authors) AND NOT ${isRewritten}
          AND u.role = 'admin' AND (u."disabledAt" IS NULL OR u."suspendedFor" IS NOT NULL) AND u."deletedAt" IS NULL) found WHERE a IS NOT NULL)
    WHERE s.id = ${id}::uuid`
}

/**
 * Stores that the person of a schedule agrees to it as it is now: as they save it, to a task of somebody else that they pick, and to
 * their own change of what they had agreed to; and when somebody else changes no more than its name or its switch. In a terminal,
 * anybody may act for them, so there a change of theirs counts for tasks alone.
 */
export async function keepConsent(
  tx: ChangeTx,
  id: string,
  { ctx, before, names }: WrittenFields<ScheduleRow>,
): Promise<void> {
  const row = await tx.schedule.findUniqueOrThrow({ where: { id } })
  const isSame = names.every((name) => name === 'name' || name === 'enabled')
  const isPerson = row.userId === ctx.actor.userId && isUnlimited(ctx.keyLimits ?? noLimits)
  if (!isSame && !isPerson) return
  const reading = readingOf(tx)
  const content = await readContent(reading, row)
  const need = consentNeed(row, content)
  if (!need || (need.hash === row.consentHash && row.consentGiven)) return
  if (!isSame && need.about === 'all' && ctx.via === 'cli') return
  const isAgreed = before === null ? need.about === 'task' : await isAgreedTo(reading, before)
  if (!isAgreed) return
  await tx.schedule.update({
    where: { id },
    data: {
      consentHash: need.hash,
      consentGiven: true,
      consentAt: new Date(),
      consentTools: await readOfferedTools(reading, row, content),
      updatedAt: row.updatedAt,
    },
  })
}

async function isAgreedTo(reading: Reading, row: ScheduleRow): Promise<boolean> {
  const content = await readContent(reading, row)
  const need = consentNeed(row, content)
  return need === null || (await readConsentState(reading, row, content, need)) === 'given'
}
