import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import { capDecisionOf } from '@toolgate/server/runs/approvals/read-decisions'
import { choiceOf, startOfPanel } from '@toolgate/server/runs/panels/panels'
import { openPanel } from '@toolgate/server/runs/panels/read-panel'
import type { Metadata } from 'next'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { panelTitle } from '@/lib/protocol/panel/panel'
import { columnState } from '@/lib/protocol/panel/panel-column'
import { pageTitle } from '@/lib/words/page-title'
import { findPanel } from './find-panel'
import { PanelView } from './panel-view'

type Props = { params: Promise<{ panelId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const panel = await findPanel((await params).panelId)
  return pageTitle(panelTitle(startOfPanel(panel), panel.prompt), 'Panels')
}

export default async function PanelPage({ params }: Props) {
  const ctx = await requireUser()
  const { panelId } = await params
  await findPanel(panelId)
  const { panel, start, states } = await openPanel(ctx, panelId)
  const choice = choiceOf(panel)
  const by = panel.user.email
  const capDecision = capDecisionOf(panel)
  const nameOf = await readPersonNames([by, choice?.by, capDecision?.by])
  return (
    <PageFrame kind="detail">
      <PanelView
        key={panel.id}
        panelId={panel.id}
        title={panelTitle(start, panel.prompt)}
        prompt={panel.prompt}
        by={nameOf(by)}
        createdAt={panel.createdAt.toISOString()}
        start={start}
        hasTurns={panel.hasTurns}
        initial={new Map([...states].map(([runId, state]) => [runId, columnState(state)]))}
        choice={choice && { ...choice, by: nameOf(choice.by) }}
        capDecision={capDecision && { ...capDecision, by: nameOf(capDecision.by) }}
      />
    </PageFrame>
  )
}
