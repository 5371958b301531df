import type { CostCapChoice } from '@/lib/protocol/cost-cap-choices'
import { chooseCostCap } from '@/lib/runs/choose-cost-cap'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'

const words: Record<CostCapChoice, string> = {
  enforce: 'stops the run with a final answer when it is reached',
  warn: 'only warns when it is reached',
  ignore: 'has no effect',
}

/** For the rest of a run that is going, in whatever process. */
export async function chooseAndPrint(
  runId: string,
  choice: CostCapChoice,
  { as, json }: CommonOptions,
): Promise<void> {
  await chooseCostCap(await actingCtx(as), { runId, choice })
  if (json) return printJson({ runId, choice })
  printLine(`From the next round on, the cost cap ${words[choice]}.`)
}
