'use client'
import { useQuery } from '@tanstack/react-query'
import type { DryRun } from '@toolgate/server/runs/dry-run/dry-run'
import { TriangleAlert } from 'lucide-react'
import { ToolNames } from '@/components/nouns/skill-words'
import { readThrough } from '@/components/shell/queries'
import { Disclosure } from '@/components/trace/disclosure'
import { RequestText } from '@/components/trace/sent-request-view'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Cost } from '@/components/ui/cost'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Fact } from '@/components/ui/fact'
import { Sheet } from '@/components/ui/sheet'
import { Skeleton } from '@/components/ui/skeleton'
import type { Role, Verdict } from '@/lib/protocol/tool'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatTokens } from '@/lib/words/format'
import { dryRunPrompt } from './actions'
import { RefusedTools } from './refused-tools'
import type { toInput } from './run-draft'

type Reader = { role: Role; userId: string }
type Props = Reader & {
  open: boolean
  input: ReturnType<typeof toInput>
  onClose: () => void
}

/** Shows beside the form what a run of it would send first, and what refuses it. It is read each time it opens. */
export function DryRunSheet({ open, onClose, ...content }: Props) {
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Dry run"
      side="right"
      className="w-160 sm:max-w-[calc(100vw-3rem)] max-sm:w-dvw max-sm:max-w-none"
    >
      <Content {...content} />
    </Sheet>
  )
}

function Content({ input, ...reader }: Omit<Props, 'open' | 'onClose'>) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry run', input],
    queryFn: () => readThrough(() => dryRunPrompt(input)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className="flex flex-col gap-4 p-4" aria-busy={isFetching}>
      <p className="text-muted">Nothing was sent, called or stored.</p>
      {error && !isFetching && (
        <ErrorNotice
          title="No dry run"
          action={
            <Button size="sm" onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {error.message}
        </ErrorNotice>
      )}
      {isFetching && <Skeleton className="h-56 w-full" />}
      {data && <Answer answer={data} reader={reader} configurationId={input.configuration} />}
    </div>
  )
}

function Answer({
  answer,
  reader,
  configurationId,
}: {
  answer: DryRun
  reader: Reader
  configurationId: string
}) {
  const { refusal, offered, tools, warnings, request } = answer
  const about = { configurationId, userId: reader.userId }
  return (
    <>
      {refusal && <ErrorNotice title="This run would be refused">{refusal.message}</ErrorNotice>}
      <Facts answer={answer} />
      {warnings.length > 0 && (
        <ul aria-label="Warnings" className="flex flex-col gap-2">
          {warnings.map((warning) => (
            <li key={warning} className="flex gap-2 text-warning [overflow-wrap:anywhere]">
              <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
              <VisibleText text={warning} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-1">
        {offered.length > 0 && (
          <Disclosure summary={`${countOf(offered.length, 'tool')} offered`}>
            <p>
              <ToolNames names={offered} />
            </p>
          </Disclosure>
        )}
        <RefusedTools
          tools={tools.map(withVerdict)}
          isOpen={false}
          role={reader.role}
          about={about}
        />
        {request && (
          <Disclosure summary="Request">
            <RequestText request={request} label="First request" />
          </Disclosure>
        )}
      </div>
    </>
  )
}

function withVerdict({ name, gate, reason }: DryRun['tools'][number]): {
  name: string
  verdict: Verdict
} {
  const denial = gate !== null && reason !== null ? { allowed: false as const, gate, reason } : null
  return { name, verdict: denial ?? { allowed: true } }
}

/** Shows the model with those that are passed over, the size of the request, and what it may cost. */
function Facts({ answer: { models, inputTokens, cost, costCaps, offered } }: { answer: DryRun }) {
  const skipped = models.filter((each) => each.skipped !== null)
  // A refused run uses no model, so the first that is not passed over counts.
  const [model, ...fallbacks] = models.filter((each) => each.skipped === null)
  if (models.length === 0) return null
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {model && <Fact label="Model">{nameOf(model)}</Fact>}
      {fallbacks.length > 0 && <Fact label="Fallbacks">{fallbacks.map(nameOf).join(', ')}</Fact>}
      {inputTokens !== null && <Fact label="Input">about {formatTokens(inputTokens)}</Fact>}
      {cost && (
        <Fact label="Cost of this request">
          {cost.mostMicroUsd ? 'at most ' : ''}
          <Cost microUsd={cost.mostMicroUsd} bound="exact" />
        </Fact>
      )}
      {costCaps.map(({ scope, mode, limitMicroUsd }) => (
        <Fact key={scope} label={`Cost cap of the ${scope}`}>
          {mode === 'enforce' ? 'stops' : 'warns'} at {formatCostMicroUsd(limitMicroUsd)}
        </Fact>
      ))}
      {inputTokens !== null && offered.length === 0 && <Fact label="Tools">none</Fact>}
      {skipped.map((each) => (
        <Fact key={nameOf(each)} label={`Passed over: ${nameOf(each)}`}>
          <VisibleText text={each.skipped ?? ''} />
        </Fact>
      ))}
    </dl>
  )
}

function nameOf({ modelId, connection }: DryRun['models'][number]): string {
  return visibleText(`${modelId} at ${connection}`)
}
