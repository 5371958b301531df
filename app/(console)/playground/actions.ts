'use server'
import { readRunnableTask } from '@toolgate/server/joined-verbs'
import { dryRun } from '@toolgate/server/runs/dry-run/dry-run'
import { hasStarted } from '@toolgate/server/runs/lists/has-started'
import { startCoordination } from '@toolgate/server/runs/panels/start-coordination'
import { startPanel } from '@toolgate/server/runs/panels/start-panel'
import { readChangeable } from '@toolgate/server/runs/start/changeable'
import { budgetsLeft, runObstacle } from '@toolgate/server/runs/start/run-obstacle'
import { startRun } from '@toolgate/server/runs/start/start-run'
import { startTask } from '@toolgate/server/runs/start/start-task'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import { z } from 'zod'
import { action, customAction } from '@/lib/next/action'
import { toPickable } from './to-pickable'

/** Starts a run and returns at once. The run does not depend on this request or its page. */
export const runPrompt = action(startRun)

/** Returns the first request of a run, and starts nothing. */
export const dryRunPrompt = action(dryRun)

/** Starts a task that is a panel, and returns at once. */
export const runTaskPanel = action(startTask)

/** Starts one run for each of several configurations, and returns at once. */
export const comparePrompt = action(startPanel)

/** Starts a proposer, whose critics and synthesizer follow, and returns at once. */
export const coordinatePrompt = action(startCoordination)

/**
 * Returns every tool with the decision of the gates for this person, configuration and task. By hand, because the browser
 * gets only a part of each tool.
 */
export const explainForMe = customAction(
  z.object({ configuration: z.uuid().nullable(), task: z.uuid().nullable() }),
  'member',
  async (ctx, { configuration, task }) => {
    const tools = await explainTools(ctx, { userId: null, configuration, task, selected: null })
    return tools.map(toPickable)
  },
)

/** Returns what this person may change for a single run. By hand, because a page and this action alone read it. */
export const readChangeableForMe = customAction(
  z.object({ configuration: z.uuid().nullable() }),
  'member',
  (ctx, { configuration }) => readChangeable(ctx, configuration),
)

export const readTaskForMe = action(readRunnableTask)

export const readRunObstacle = action(runObstacle)
export const readBudgetsLeft = action(budgetsLeft)

/** Returns whether a start of this person reached the server. By hand, because the frame alone asks. */
export const startArrived = customAction(
  z.object({ key: z.string().min(1).max(200) }),
  'member',
  hasStarted,
)
