'use client'
import Link from 'next/link'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { Section } from '@/components/ui/section'
import { allowSourceQueries, refuseSourceQueries, switchQueryTool } from '../actions'

type Props = {
  sourceId: string
  isAllowed: boolean
  /** The state of run_query, by its own switch and that of its group. */
  tool: 'on' | 'off' | 'group-off'
  /** Why they cannot be allowed; null = they can. */
  problem: string | null
}

/** Shows whether runs of admins may run SQL on a data source, and what allowing it does. */
export function SourceQueries({ sourceId, isAllowed, tool, problem }: Props) {
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
          problem === null && (
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
          ? 'Runs of admins may read the opened columns with SQL (run_query). '
          : 'Makes a database role that reads only opened columns, for run_query. '}
        Tables that mark deleted rows are left out.
      </p>
      {isAllowed && tool !== 'on' && (
        <div className="flex flex-wrap items-center gap-3 text-warning">
          <p>The tool run_query is off.</p>
          {tool === 'off' ? (
            <ActButton
              size="sm"
              icon={null}
              failed="The tool was not switched on"
              done="Switched on run_query"
              send={() => switchQueryTool({ name: 'run_query', enabled: true, reason: '' })}
            >
              Switch on run_query
            </ActButton>
          ) : (
            <p>
              Its group is off: switch it on under{' '}
              <Link
                href="/tools?search=run_query"
                className="text-link underline-offset-2 hover:underline"
              >
                Tools
              </Link>
              .
            </p>
          )}
        </div>
      )}
      {!isAllowed && problem !== null && (
        <p className="text-warning">
          Queries cannot be allowed now. <VisibleText text={problem} />
        </p>
      )}
    </Section>
  )
}
