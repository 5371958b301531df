import type { CostCapChoice } from '@/lib/protocol/cost-cap-choices'
import { chooseCostCap } from '@/lib/runs/choose-cost-cap'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'

const words: Record<CostCapChoice, string> = {
  enforce: 'stops it with a final answer when reached',
  warn: 'only warns when reached',
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
  printLine(`From the run's next round on, its cost cap ${words[choice]}.`)
}
