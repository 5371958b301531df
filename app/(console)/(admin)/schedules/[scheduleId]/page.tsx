import type { Metadata } from 'next'
import { ResourceSwitch } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { PageHead } from '@/components/ui/page-head'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { pageObject } from '@/lib/auth/or-not-found'
import { requireAdmin } from '@/lib/auth/require-user'
import { schedules } from '@/lib/domains/schedules/shape'
import { scheduleVerbs } from '@/lib/domains/schedules/verbs'
import { readReferenceChoices } from '@/lib/doors/reference-choices'
import { leftOutTime, movedWords } from '@/lib/protocol/cron'
import { factText } from '@/lib/protocol/field-codec'
import { changeSchedule } from '../actions'
import { StartOutcome, Times } from '../schedule-facts'
import { ScheduleActions } from '../schedule-form'

export const metadata: Metadata = { title: 'Schedule' }

const scheduleAt = pageObject((ctx, id) => scheduleVerbs.read(ctx, { id }))

type Props = { params: Promise<{ scheduleId: string }> }

export default async function SchedulePage({ params }: Props) {
  const ctx = await requireAdmin()
  const schedule = await scheduleAt((await params).scheduleId)
  const choices = await readReferenceChoices(ctx, schedules)
  const { name, cron, configuration, runAs, missed, prompt, next, starts, timeZone } = schedule
  const { fields } = schedules
  return (
    <div className="flex flex-col gap-8 p-4 md:p-6">
      <PageHead
        title={<VisibleText text={name} />}
        action={<ScheduleActions schedule={schedule} choices={choices} />}
      >
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ResourceSwitch fields={fields} send={changeSchedule} row={schedule} />
          <Times schedule={schedule} />
          <span>
            with <VisibleText text={configuration?.name ?? 'a deleted configuration'} />
          </span>
          <span>
            as <VisibleText text={runAs.email} />
          </span>
          <span>
            {fields.missed.label}: {factText(fields.missed, missed).toLowerCase()}
          </span>
        </span>
      </PageHead>
      <Section title="Prompt">
        <p className="max-w-[80ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={prompt} />
        </p>
      </Section>
      <Section title={`Next times, in ${timeZone}`}>
        {next.length === 0 && <p className="text-muted">None while it is switched off.</p>}
        <ul className="flex flex-col gap-1 text-sm">
          {next.map((at) => (
            <li key={at}>
              {written(at, timeZone)}, <RelativeTime at={at} className="text-muted" />
              <span className="text-muted">
                {movedWords(leftOutTime(cron, timeZone, new Date(at)))}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Last times">
        {starts.length === 0 && <p className="text-muted">It has not run yet.</p>}
        <ul className="flex flex-col gap-1">
          {starts.map((start) => (
            <li key={start.at}>
              <StartOutcome start={start} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** Returns a time as the schedule means it, in its zone. */
function written(at: string, timeZone: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(at))
}
