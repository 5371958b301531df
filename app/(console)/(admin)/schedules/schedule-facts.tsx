import Link from 'next/link'
import type { OwnFacts } from '@/components/resource/resource-page'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import type { Schedule, ScheduleStart } from '@/lib/domains/schedules/shape'
import {
  type TaskValues,
  type TaskVariable,
  variableLabel,
} from '@/lib/domains/tasks/shared/task-form'
import { visibleText } from '@/lib/words/clean-text'

/** Shows what came of one time: a link to its run, or why there is none. */
export function StartOutcome({ start }: { start: ScheduleStart }) {
  const { at, runId, panelId, refusal } = start
  if (refusal !== '') {
    return (
      <span className="flex flex-wrap items-center gap-x-2 text-sm">
        <StatePill state="error">not started</StatePill>
        <RelativeTime at={at} className="text-muted" />
        <span className="[overflow-wrap:anywhere]">
          <VisibleText text={refusal} />
        </span>
      </span>
    )
  }
  if (runId === null && panelId === null) {
    return (
      <span className="text-muted text-sm">
        <RelativeTime at={at} />, since deleted
      </span>
    )
  }
  return (
    <Link
      href={panelId === null ? `/runs/${runId}` : `/runs/panels/${panelId}`}
      className="text-link text-sm hover:underline"
    >
      {panelId === null ? 'Run' : 'Panel'} <RelativeTime at={at} />
    </Link>
  )
}

/** Shows the values that the task of a schedule starts with, each under the label of its variable. */
export function ScheduleValues({
  values,
  variables,
}: {
  values: TaskValues
  variables: readonly TaskVariable[]
}) {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  if (given.length === 0) return null
  const labels = new Map(variables.map((variable) => [variable.name, variableLabel(variable)]))
  return (
    <Section title="Values">
      <dl className="flex max-w-[80ch] flex-col gap-3">
        {given.map(([name, value]) => {
          const label = visibleText(labels.get(name) ?? name)
          return (
            <Fact key={name} label={label}>
              <LongText text={String(value)} label={label} mono={false} />
            </Fact>
          )
        })}
      </dl>
    </Section>
  )
}

/** Returns the facts of a schedule whose task or configuration was deleted. */
export function missingFacts({ task, configuration, prompt }: Schedule): OwnFacts {
  if (task !== null) return {}
  const deleted = <span className="text-error">deleted</span>
  if (prompt === '') return { taskId: deleted }
  return configuration === null ? { configurationId: deleted } : {}
}
