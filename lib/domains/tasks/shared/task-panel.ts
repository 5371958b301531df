import { z } from 'zod'
import { RunCostCap } from '@/lib/protocol/cost/money'
import { hopBudgets, panelSize } from '@/lib/protocol/panel/panel'
import { mostCritics } from '@/lib/protocol/panel/role-words'
import { StoredIdentifier } from '@/lib/shape/identifier'

// The functions of these are in panel-of-task.ts, which pages load without the schemas.

const Configuration = z.string().trim().min(1, 'Pick a configuration.').max(100)

export const Hops = z
  .int('Enter a whole number.')
  .min(1, 'At least 1. Without tools, leave it as it is.')
  .max(hopBudgets.most, `At most ${hopBudgets.most}.`)
  .default(hopBudgets.usual)

/** The names of the tools that members may have where the gates allow it; an empty list = none. */
export const PanelTools = z.array(z.string().min(1).max(200)).max(500).default([])

function comparedOf(Each: z.ZodType<string>) {
  return z
    .array(Each)
    .min(panelSize.least, `Pick at least ${panelSize.least} configurations to compare.`)
    .max(panelSize.most, `Compare at most ${panelSize.most} configurations at once.`)
}

/** The configurations that answer one prompt side by side. */
export const Compared = comparedOf(Configuration)

const mostInstructions = 20_000

/** Instructions of a role (null: the shipped ones), and its own cost cap. */
const roleParts = {
  instructions: z
    .string()
    .max(mostInstructions, 'At most 20,000 characters.')
    .nullable()
    .default(null),
  costCap: RunCostCap.nullable().default(null),
}

/** Name of a configuration in a task. */
const Named = Configuration.pipe(StoredIdentifier)

function critics<S extends z.ZodType>(Critic: S) {
  return z
    .array(Critic)
    .min(1, 'At least one critic.')
    .max(mostCritics, `At most ${mostCritics} critics.`)
}

const Role = z.strictObject({ configuration: Configuration, ...roleParts })
const AskingRole = Role.extend({ hops: Hops })
/** The roles of a coordination. The synthesizer has no tools and so no hops. */
export const rolesShape = { proposer: AskingRole, critics: critics(AskingRole), synthesizer: Role }

/** In a task, a role without a configuration has the one of the task, or the one that is picked for the run. */
const TaskRole = z.strictObject({
  configuration: Named.nullable().default(null),
  ...roleParts,
})
const AskingTaskRole = TaskRole.extend({ hops: Hops })

/**
 * A task that runs as a panel (SPEC Q1, Q2): several configurations side by side, or roles that work one after the
 * other. Configurations are named by their identifiers. The cost cap of the task is that of the whole panel.
 */
export const TaskPanel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('confer'),
    configurations: comparedOf(Named).refine(
      (names) => new Set(names).size === names.length,
      'Name each configuration once.',
    ),
    tools: PanelTools,
    hops: Hops,
    memberCostCap: RunCostCap.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('coordinate'),
    proposer: AskingTaskRole,
    critics: critics(AskingTaskRole),
    synthesizer: TaskRole,
    tools: PanelTools,
  }),
])
export type TaskPanel = z.output<typeof TaskPanel>
export type TaskPanelInput = z.input<typeof TaskPanel>
