import type { Ctx } from '@toolgate/server/kernel/context'
import { listConsents } from '@toolgate/server/toolset/schedules/consent-verbs'
import { scheduleVerbs } from '@toolgate/server/toolset/schedules/verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { schedules } from '@/lib/domains/schedules/shape'
import { leftOutTime, movedWords, timeWords } from '@/lib/domains/schedules/shared/cron'
import { readerZone } from '@/lib/next/reader-zone'
import { withRunAsNames } from '../run-as-names'
import { BlockedReason, WithdrawConsent } from '../schedule-blocked'
import { missingFacts, ScheduleValues, StartOutcome } from '../schedule-facts'
import { ScheduleActions } from '../schedule-form'
import { TimesFact } from '../schedule-times'

/** Returns whether the reader agreed to a schedule of others that runs as them. */
async function hasConsented(ctx: Ctx, scheduleId: string): Promise<boolean> {
  const { consents } = await listConsents(ctx, {})
  return consents.some((each) => each.scheduleId === scheduleId && each.state === 'given')
}

const { page, generateMetadata } = resourcePage(
  schedules,
  scheduleVerbs,
  async ({ ctx, object: schedule, choices }) => {
    const { cron, next, starts, timeZone } = schedule
    const zone = await readerZone()
    const [shown = schedule] = await withRunAsNames([schedule])
    const isAsked = schedule.runAs.id === ctx.actor.userId
    return {
      shown,
      actions: <ScheduleActions object={schedule} choices={choices} />,
      facts: {
        cron: <TimesFact cron={cron} />,
        // The values have a section of their own.
        variables: null,
        ...missingFacts(schedule),
        ...(schedule.blocked && {
          'Starts nothing': <BlockedReason blocked={schedule.blocked} isAsked={isAsked} />,
        }),
        ...(isAsked &&
          (await hasConsented(ctx, schedule.id)) && {
            Consent: <WithdrawConsent schedule={schedule} />,
          }),
      },
      children: (
        <>
          <ScheduleValues
            values={schedule.variables}
            variables={choices.tasks.find(({ id }) => id === schedule.task?.id)?.variables ?? []}
          />
          <Section title="Next times">
            {next.length === 0 && <p className="text-muted">None while off.</p>}
            <ul className="flex flex-col gap-1 text-sm">
              {next.map((at) => (
                <li key={at}>
                  {timeWords({ timeZone: zone }, new Date(at))},{' '}
                  <RelativeTime at={at} className="text-muted" />
                  <span className="text-muted">
                    {zone !== timeZone && ` (${timeWords(schedule, new Date(at))} in ${timeZone})`}
                    {movedWords(leftOutTime(schedule, new Date(at)))}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Last times">
            {starts.length === 0 && <p className="text-muted">None yet.</p>}
            <ul className="flex flex-col gap-1">
              {starts.map((start) => (
                <li key={start.at}>
                  <StartOutcome start={start} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page
