import type { Ctx } from '@/lib/kernel/context'
import { answerConsent, listConsents } from '@/lib/toolset/schedules/consent-verbs'

/** Lets the person of a schedule agree that it runs as them, as it is now. */
export async function agreeToSchedule(person: Ctx, scheduleId: string): Promise<void> {
  const { consents } = await listConsents(person, {})
  const { hash } = consents.find((each) => each.scheduleId === scheduleId) ?? { hash: '' }
  await answerConsent(person, { scheduleId, hash, decision: 'approve' })
}
