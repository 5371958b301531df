'use client'
import { Wrench } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import {
  type FixPlace,
  fixOfEnd,
  lastTarget,
  withoutCommands,
} from '@/lib/protocol/model/failure-words'
import type { RunEnd, RunState } from '@/lib/protocol/run/fold-run'
import { timeWords, waitsOf } from '@/lib/protocol/run/work-time'
import { endWords } from './end-words'
import { useReaderRole } from './reader-role'
import { VisibleText } from './visible-text'

type Props = {
  /** The state of a run that ended. */
  state: RunState & { end: RunEnd }
  children?: ReactNode
}

/** Says how the run ended, with what can be done then. Its totals are in the strip above. */
export function EndStrip({ state, children }: Props) {
  const { end, repricedAt } = state
  const waits = waitsOf(state)
  const place = fixOfEnd({ ...end, target: lastTarget(state) })
  const { pill, word, sentence } = endWords(end.reason, end.notStarted)
  return (
    <section aria-label="How the run ended" className="flex flex-col gap-3 border-t-2 pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatePill state={pill}>{word}</StatePill>
        {end.truncated && <Badge tone="warning">Truncated</Badge>}
        {!end.failure && (
          <span className="text-sm">
            <VisibleText text={end.message || sentence} />
          </span>
        )}
      </div>
      {end.failure && <Failure failure={end.failure} message={end.message} />}
      {place && (
        <p className="text-sm">
          <FixLink place={place} facts={failureContext(state)} isMain={isKeyRefused(end)} />
        </p>
      )}
      {waits.waitedForPeopleMs > 0 && (
        <p className="numeric text-muted text-sm">{timeWords(end.wallTimeMs, waits)}</p>
      )}
      {repricedAt !== null && (
        <p className="text-muted text-sm">
          Cost recomputed <RelativeTime at={repricedAt} />
        </p>
      )}
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </section>
  )
}

function failureContext(state: RunState): FailureContext {
  const target = lastTarget(state)
  const { configurationId: id = null, configurationName: name = '' } = state.start?.snapshot ?? {}
  return {
    connection: target && { id: target.connectionId, name: target.connectionName },
    model: target && { id: target.modelRecordId, name: target.modelId },
    configuration: id === null ? null : { id, name },
  }
}

/** Shows the failure. The run's message says more when several models were tried. */
function Failure({ failure, message }: { failure: ProviderFailure; message: string }) {
  const { advice } = failure
  return (
    <ErrorNotice title={failureTitle(failure)} incident={failure.incidentId}>
      <VisibleText text={withoutCommands(message.startsWith(advice) ? message : advice)} />
    </ErrorNotice>
  )
}

const titles: Record<FailureCategory, string> = {
  auth: 'The provider refused the key',
  forbidden: 'Request not allowed',
  'no-credit': 'No credit or quota left',
  'not-found': 'Unknown model or address',
  'rate-limited': 'Rate limit reached',
  overloaded: 'Provider overloaded',
  server: 'Provider failed',
  connection: 'The provider cannot be reached',
  timeout: 'No answer in time',
  'bad-request': 'The provider refused the request',
  'context-length': 'Conversation too long for the model',
  'invalid-response': 'Answer could not be read',
  cancelled: 'Request cancelled',
  egress: 'The provider’s address is blocked',
  'circuit-open': 'The connection is paused after failures',
  'connection-changed': 'Not sent: the connection changed',
  files: 'Not sent: it cannot take the files',
}

/** Returns the failure that ended a run in words, with the HTTP status the provider gave. */
function failureTitle({ category, status }: ProviderFailure): string {
  return status === null ? titles[category] : `${titles[category]} (HTTP ${status})`
}

/** Parts that a failed run used; null: not known, or none, as a test of a model has no configuration. */
export type FailureContext = {
  connection: { id: string; name: string } | null
  model: { id: string; name: string } | null
  configuration: { id: string; name: string } | null
}

type Way = { href: string; label: string; requested: string }

/** Returns whether the run ended because the provider refused the key: until that is mended, going on fails again. */
export function isKeyRefused(end: RunEnd | null): boolean {
  return end?.failure?.category === 'auth'
}

type FixProps = { place: FixPlace; facts: FailureContext; isMain: boolean }

/**
 * Shows admins a link to the page where they can fix the cause, as a button where it is the main thing to do, and tells
 * members what to ask an admin for.
 */
function FixLink({ place, facts, isMain }: FixProps) {
  const admin = useReaderRole() === 'admin'
  const way = wayTo(place, facts)
  if (!way) return null
  if (!admin) {
    return (
      <span className="text-muted [overflow-wrap:anywhere]">
        <VisibleText text={way.requested} />
      </span>
    )
  }
  const content = (
    <>
      <Wrench className="size-4 shrink-0" aria-hidden />
      <VisibleText text={way.label} />
    </>
  )
  if (isMain) {
    return (
      <Button asChild size="sm" variant="primary">
        <Link href={way.href}>{content}</Link>
      </Button>
    )
  }
  return (
    <Link
      href={way.href}
      className="inline-flex items-center gap-1 text-link [overflow-wrap:anywhere] hover:underline"
    >
      {content}
    </Link>
  )
}

function wayTo(place: FixPlace, { connection, model, configuration }: FailureContext): Way | null {
  switch (place) {
    case 'key':
      return (
        connection && {
          href: `/connections/${connection.id}#key`,
          label: `Check the key of ${connection.name}`,
          requested: `Ask an admin to check the key of ${connection.name}.`,
        }
      )
    case 'connection':
      return (
        connection && {
          href: `/connections/${connection.id}`,
          label: `Open the connection ${connection.name}`,
          requested: `Ask an admin to check the connection ${connection.name}.`,
        }
      )
    case 'model':
      return (
        model && {
          href: `/models/${model.id}`,
          label: `Open the model ${model.name}`,
          requested: `Ask an admin to check the model ${model.name}.`,
        }
      )
    case 'price':
      return (
        model && {
          href: `/models/${model.id}?add=price`,
          label: `Add price for ${model.name}`,
          requested: `Ask an admin to add a price for ${model.name}.`,
        }
      )
    case 'configuration':
      return (
        configuration && {
          href: `/configurations/${configuration.id}`,
          label: `Open the configuration ${configuration.name}`,
          requested: `Ask an admin to change the configuration ${configuration.name}.`,
        }
      )
    case 'budgets':
      return {
        href: '/budgets',
        label: 'Open the budgets',
        requested: 'Ask an admin to raise the budget.',
      }
    default:
      return place satisfies never
  }
}
