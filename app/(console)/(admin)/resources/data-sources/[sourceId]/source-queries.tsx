'use client'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { Section } from '@/components/ui/section'
import { allowSourceQueries, refuseSourceQueries } from '../actions'

type Props = {
  sourceId: string
  isAllowed: boolean
  /** Why they cannot be allowed; null = they can. */
  trouble: string | null
}

/** Shows whether runs of admins may run SQL on a data source, and what allowing it does. */
export function SourceQueries({ sourceId, isAllowed, trouble }: Props) {
  return (
    <Section
      title="Queries"
      id="queries"
      action={
        isAllowed ? (
          <ActButton
            size="sm"
            icon={null}
            failed="Queries were not taken back"
            done={({ trouble: left }) => left ?? 'Took queries back'}
            send={() => refuseSourceQueries({ id: sourceId })}
          >
            Take queries back
          </ActButton>
        ) : (
          trouble === null && (
            <ActButton
              size="sm"
              icon={null}
              failed="Queries were not allowed"
              done="Allowed queries"
              send={() => allowSourceQueries({ id: sourceId })}
            >
              Allow queries
            </ActButton>
          )
        )
      }
    >
      <p className="max-w-prose text-muted">
        {isAllowed
          ? 'Runs of admins may read the opened columns with SQL (run_query), as a role of the database that can read nothing else. '
          : 'Allowing them makes a role in the database that can read the opened columns and nothing else. Runs of admins may then read these with SQL (run_query). '}
        Tables with a mark of deleted rows are left out.
      </p>
      {!isAllowed && trouble !== null && (
        <p className="text-warning">
          Queries cannot be allowed now. <VisibleText text={trouble} />
        </p>
      )}
    </Section>
  )
}
