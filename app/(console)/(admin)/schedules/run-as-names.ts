import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Schedule } from '@/lib/domains/schedules/shape'

/** Returns schedules that name whose rights their runs have. */
export async function withRunAsNames<T extends Pick<Schedule, 'runAs'>>(
  schedules: readonly T[],
): Promise<T[]> {
  const nameOf = await readPersonNames(schedules.map(({ runAs }) => runAs.email))
  return schedules.map((each) => ({
    ...each,
    runAs: { ...each.runAs, email: nameOf(each.runAs.email) },
  }))
}
