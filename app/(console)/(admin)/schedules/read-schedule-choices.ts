import 'server-only'
import { listGovernedConfigurations } from '@/lib/domains/configurations/reads'
import type { Ctx } from '@/lib/kernel/context'
import type { ScheduleChoices } from './schedule-form'

/** Reads what the form of a schedule can name. */
export async function readScheduleChoices(ctx: Ctx): Promise<ScheduleChoices> {
  const configurations = await listGovernedConfigurations(ctx, {})
  const { userId: id, email } = ctx.actor
  return { configurations: configurations.map(({ id, name }) => ({ id, name })), me: { id, email } }
}
