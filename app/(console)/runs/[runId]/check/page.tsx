import { listConfigurations } from '@toolgate/server/domains/configurations/usable'
import { checkObstacle, copyRun } from '@toolgate/server/runs/checks/copy-run'
import { readGroupChoices } from '@toolgate/server/runs/checks/read-for-pages'
import { type RunRecord, readRun } from '@toolgate/server/runs/read-run'
import { ClipboardCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { JudgeChoice } from '@/components/checks/assertion-field-control'
import { LeftOut } from '@/components/checks/left-out'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { proposeAssertions } from '@/lib/protocol/check/propose-assertions'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { cleanName, firstWords } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { pageTitle } from '@/lib/words/page-title'
import { findRun } from '../find-run'
import { SaveCheckForm } from './save-check-form'

type Props = { params: Promise<{ runId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun((await params).runId)
  return pageTitle(titleOf(prompt), 'Runs')
}

function titleOf(prompt: string): string {
  return `Save as check: ${firstWords(prompt)}`
}

/** Saves a copy of this run as a check, or says why it cannot be one. */
export default async function SaveCheckPage({ params }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  const { prompt } = await findRun(runId)
  const run = await readRun(ctx, runId)
  const obstacle = checkObstacle(run, foldRun(run.events).start)
  return (
    <PageFrame kind="form">
      <PageHead
        title={<VisibleText text={titleOf(prompt)} />}
        action={
          <Button asChild>
            <Link href={`/runs/${runId}`}>Open run</Link>
          </Button>
        }
      >
        {obstacle === null && 'A check runs this prompt again and tests the outcome.'}
      </PageHead>
      {obstacle === null ? (
        <Copy
          run={run}
          groups={await readGroupChoices(ctx)}
          judges={await listConfigurations(ctx)}
        />
      ) : (
        <EmptyState icon={ClipboardCheck} title="This run cannot be a check">
          {obstacle}
        </EmptyState>
      )}
    </PageFrame>
  )
}

type Run = RunRecord & Parameters<typeof copyRun>[0]

type CopyProps = {
  run: Run
  groups: { id: string; name: string }[]
  judges: JudgeChoice[]
}

function Copy({ run, groups, judges }: CopyProps) {
  const { state, start, prompt, recordings, leftOut } = copyRun(run)
  const files = start.files?.length ?? 0
  const parts = [
    'the prompt',
    ...(files > 0 ? [countOf(files, 'file')] : []),
    ...(recordings.length > 0 ? [`${countOf(recordings.length, 'result')} of tools`] : []),
    ...(start.overridden?.length ? ['what was changed for this run'] : []),
  ]
  return (
    <>
      <p className="max-w-[72ch]">
        The check keeps a copy of {new Intl.ListFormat('en').format(parts)}, without secrets and
        withheld results. The copy stays when the run is deleted.
      </p>
      <LeftOut sentences={leftOut} />
      <SaveCheckForm
        runId={run.runId}
        name={cleanName(firstWords(prompt, 60)).replace(/…$/, '').trim()}
        proposed={proposeAssertions(state)}
        tools={start.accepted.map(({ name }) => name)}
        judges={judges.map(({ identifier, name }) => ({ identifier, name }))}
        groups={groups}
      />
    </>
  )
}
