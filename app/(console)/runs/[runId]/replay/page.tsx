import { type RunReplay, readReplay } from '@toolgate/server/runs/replay/read-replay'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { CallLink } from '@/components/trace/call-link'
import { Differences } from '@/components/trace/differences'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { ToolName } from '@/components/ui/tool-name'
import { requireUser } from '@/lib/next/require-user'
import { firstWords } from '@/lib/words/clean-text'
import { because, formatCount } from '@/lib/words/format'
import { pageTitle } from '@/lib/words/page-title'
import { placeWords } from '@/lib/words/replay-words'
import { findRun } from '../find-run'

type Props = { params: Promise<{ runId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { prompt } = await findRun((await params).runId)
  return pageTitle(`Replay ${firstWords(prompt)}`, 'Runs')
}

/** Shows what today's policy would have done in a run. */
export default async function ReplayPage({ params }: Props) {
  const ctx = await requireUser()
  const { runId } = await params
  const { prompt } = await findRun(runId)
  const replay = await readReplay(ctx, runId)
  const { frozen, differences, offers, unlisted } = replay
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={`Replay ${firstWords(prompt)}`} />}
        action={
          <Button asChild>
            <Link href={`/runs/${runId}`}>Open run</Link>
          </Button>
        }
      >
        What today’s policy would have done. Nothing is called.
      </PageHead>
      <Result replay={replay} />
      {frozen && (
        <p>
          The site is frozen by <VisibleText text={`${frozen.by}${because(frozen.reason)}`} /> Every
          run would stop. The rest leaves this out.
        </p>
      )}
      {differences.length > 0 && (
        <Section title="Differences">
          <Differences
            label="Differences"
            entries={differences.map(({ place, was, would, follows }, index) => ({
              // The list never changes, and a round may differ twice.
              key: String(index),
              place: <Place runId={runId} place={place} />,
              notes: follows && 'Follows from an earlier difference',
              words: thenAndNow(was, would),
            }))}
          />
          {unlisted > 0 && (
            <p className="text-muted">{formatCount(unlisted)} more are not listed.</p>
          )}
        </Section>
      )}
      {offers.length > 0 && (
        <Section title="Tools at the start">
          <Differences
            label="Tools at the start"
            entries={offers.map(({ tool, was, would }) => ({
              key: tool,
              place: (
                <span className="font-mono text-mono">
                  <ToolName name={tool} />
                </span>
              ),
              words: thenAndNow(was, would),
            }))}
          />
        </Section>
      )}
    </PageFrame>
  )
}

const thenAndNow = (was: string, would: string) =>
  [
    ['Then', was],
    ['Today', would],
  ] as const

function Place({
  runId,
  place,
}: {
  runId: string
  place: RunReplay['differences'][number]['place']
}) {
  if (place.type !== 'call') return placeWords(place)
  const { callId, tool: toolName, round } = place
  return (
    <>
      Round {round}: <CallLink runId={runId} call={{ callId, toolName }} />
    </>
  )
}

function Result({ replay: { result, why, differences } }: { replay: RunReplay }) {
  switch (result) {
    case 'same':
      return <StatePill state="ok">The same</StatePill>
    case 'different':
      return (
        <p className="flex flex-wrap items-center gap-2">
          <StatePill state="warning">Different</StatePill>
          {differences.some(({ follows }) => follows) &&
            'After the first difference, nothing is certain.'}
        </p>
      )
    case 'not-replayable':
      return (
        <p className="flex flex-wrap items-center gap-2">
          <StatePill state="off">Not replayable</StatePill> {why}
        </p>
      )
    default:
      return result satisfies never
  }
}
