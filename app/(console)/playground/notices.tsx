import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { formatCount } from '@/lib/words/format'
import type { RunDraftErrors } from './run-draft'

/** Says that the next run is a turn of a conversation, which can be left. */
export function Continues({ title, onLeave }: { title: string | null; onLeave: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        {title === null ? (
          'The same turn again'
        ) : (
          <>
            Next turn after “<VisibleText text={title} />”
          </>
        )}
      </span>
      <Button size="sm" variant="ghost" onClick={onLeave}>
        Start a new one
      </Button>
    </p>
  )
}

/** Says that the next run is another one with a change, which can be left. */
export function ChangedFrom({ title, onLeave }: { title: string | null; onLeave: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        {title === null ? (
          'An earlier run, with a change'
        ) : (
          <>
            “<VisibleText text={title} />” again, with a change
          </>
        )}
      </span>
      <Button size="sm" variant="ghost" onClick={onLeave}>
        Start a new one
      </Button>
    </p>
  )
}

/** Says that a draft was too long to be kept. */
export function Dropped() {
  return (
    <ErrorNotice title="Earlier draft removed">
      Over {formatCount(maxPromptCharacters)} characters. Attach it as a file.
    </ErrorNotice>
  )
}

/** Says why no run can start with the configuration that the address names. */
export function Unusable({ children }: { children: string }) {
  return (
    <ErrorNotice title="Configuration not usable now">{children} Pick another one.</ErrorNotice>
  )
}

/** Says that the address names a run that this reader cannot see. */
export function Missing() {
  return <ErrorNotice title="This run cannot be shown">Deleted, or not yours.</ErrorNotice>
}

/** Says why the run did not start, when the error belongs to no field. */
export function DraftProblem({ general }: { general: NonNullable<RunDraftErrors['general']> }) {
  return (
    <ErrorNotice
      title="The run did not start"
      action={
        general.signIn && (
          <Button asChild size="sm">
            <Link
              href={`/sign-in?next=${encodeURIComponent(`/playground${window.location.search}`)}`}
            >
              Sign in
            </Link>
          </Button>
        )
      }
    >
      {general.message}
    </ErrorNotice>
  )
}
