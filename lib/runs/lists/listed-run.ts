import type { PanelRow } from '@/lib/runs/panels/panel-schemas'
import type { RunRow } from '../schemas'

/**
 * A panel that a list of runs shows as one row. `fitting`: the names of the members that the filter finds; null = all of
 * those that began.
 */
export type FoldedPanel = Pick<PanelRow, 'panelId' | 'title' | 'status' | 'members'> & {
  runs: ListedRun[]
  fitting: string[] | null
}

/**
 * One row of the page of runs: a run, a member of a panel with its name there, or a panel. The figures of a panel are those of its
 * members together; its time goes from the first start to the last end, and its id is that of the panel.
 */
export type ListedRun = RunRow & { member?: string; panel?: FoldedPanel }
