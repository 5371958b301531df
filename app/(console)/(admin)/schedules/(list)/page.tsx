import { CalendarClock } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { onOffField } from '@/components/list/filter-fields'
import { WholeList } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listSchedules } from '@/lib/domains/schedules/reads'
import { defaultScheduleSort, ScheduleFilter } from '@/lib/domains/schedules/schemas'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { readScheduleChoices } from '../read-schedule-choices'
import { NewScheduleButton } from '../schedule-form'
import { ScheduleList } from './schedule-list'

export const metadata: Metadata = { title: 'Schedules' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search schedules' },
  onOffField,
]

export default async function SchedulesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(ScheduleFilter, await searchParams)
  const { page, sort, ...values } = filter
  const [{ schedules, whole }, choices] = await Promise.all([
    listSchedules(ctx, filter),
    readScheduleChoices(ctx),
  ])
  const by = { by: sort, default: defaultScheduleSort }
  const add = <NewScheduleButton choices={choices} />
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Schedules" action={add}>
        Runs that start at set times. Each time counts once, however many servers there are.
      </PageHead>
      <WholeList
        thing="schedule"
        address={{ path: '/schedules', values, page, sort: by }}
        fields={fields}
        found={schedules}
        whole={whole}
        list={ScheduleList}
        searched="name, prompt, configuration and person"
        nothing={
          <EmptyState icon={CalendarClock} title="No schedules yet" action={add}>
            A schedule asks the same prompt every morning, every hour, or whenever you say.
          </EmptyState>
        }
      />
    </div>
  )
}
