import { randomUUID } from 'node:crypto'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { StartPanelInput } from '@/lib/runs/panels/panel-schemas'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startPanel } from '@/lib/runs/panels/start-panel'
import { addLocalModel } from './add-local-model'
import { db } from './fixture-db'
import { addPerson } from './people'
import { collect } from './run-site'
import { onEngine } from './test-engine'

type Wire = ModelTarget['wire']
/** An admin, and configurations with a model each; model `model-N` is that of the configuration at place N. */
export type PanelSite = { admin: Ctx; configurations: string[] }

export async function addPanelSite(
  url: string,
  wires: readonly Wire[],
  unpriced: readonly number[] = [],
): Promise<PanelSite> {
  const admin = await addPerson('admin')
  const configurations: string[] = []
  for (const [place, wire] of wires.entries()) {
    const tag = randomUUID().slice(0, 8)
    const connectionName = `Panel ${wire} ${tag}`
    const modelId = await addLocalModel(admin, {
      wire,
      connectionName,
      url,
      modelId: `model-${place}`,
      unpriced: unpriced.includes(place),
    })
    const identifier = `panel-${tag}`
    const { id } = await createConfiguration(admin, {
      identifier,
      name: `Panel ${tag}`,
      modelId,
      maxRounds: 5,
    })
    await db().configuration.update({ where: { id }, data: { afterUntrusted: 'allow' } })
    configurations.push(identifier)
  }
  return { admin, configurations }
}

export function startOn(
  { admin, configurations }: PanelSite,
  wishes: Partial<StartPanelInput> = {},
  engine?: Engine,
) {
  const begin = () => startPanel(admin, { configurations, prompt: 'Who is who?', ...wishes })
  return engine ? onEngine(engine, begin) : begin()
}

/** Waits until all members of a panel ended, and returns it with their states. */
export async function endOfPanel({ admin }: PanelSite, panelId: string) {
  const { members } = await readPanel(admin, { panelId })
  const states: RunState[] = []
  for (const { run } of members) if (run) states.push(foldRun(await collect(admin, run.runId)))
  return { states, panel: await readPanel(admin, { panelId }) }
}
