import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { PlanView } from './plan-view'

/** Shows what applying a file would do, in its order, and what it leaves unchanged. */
export function PlanList({ plan: { steps, onlyHere, problems, notices } }: { plan: PlanView }) {
  return (
    <div className="flex flex-col gap-4">
      {problems.length > 0 && (
        <ErrorNotice title="Fix these problems first">
          <ul className="list-disc pl-5">
            {problems.map((problem) => (
              <li key={problem}>
                <VisibleText text={problem} />
              </li>
            ))}
          </ul>
        </ErrorNotice>
      )}
      {notices.length > 0 && (
        <ul className="flex flex-col gap-1 rounded-md border bg-surface-1 p-3">
          {notices.map((notice) => (
            <li key={notice}>
              <VisibleText text={notice} />
            </li>
          ))}
        </ul>
      )}
      {steps.length === 0 && problems.length === 0 && (
        <p role="status">This site matches the file.</p>
      )}
      {steps.length > 0 && (
        <ol className="divide-y rounded-md border bg-surface-1">
          {steps.map(({ id, type, what, key, changes }) => (
            <li key={id} className="flex flex-col gap-1 p-3">
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={type === 'create' ? 'ok' : 'accent'}>
                  {type === 'create' ? 'new' : 'changed'}
                </Badge>
                <span className="text-muted">{what}</span>
                <span className="font-semibold text-strong [overflow-wrap:anywhere]">
                  <VisibleText text={key} />
                </span>
              </p>
              {type === 'update' && (
                <dl className="flex flex-col gap-1 text-sm">
                  {changes.map(({ field, before, after, note }) => (
                    <div key={field} className="grid gap-x-3 md:grid-cols-[10rem_1fr]">
                      <dt className="text-muted">{field}</dt>
                      <dd className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">
                        <del className="text-error">
                          <VisibleText text={before} />
                        </del>{' '}
                        <ins className="text-ok no-underline">
                          <VisibleText text={after} />
                        </ins>
                        {note && <span className="font-sans text-muted"> ({note})</span>}
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ol>
      )}
      {onlyHere.length > 0 && (
        <details className="rounded-md border bg-surface-1 p-3">
          <summary className="cursor-pointer">
            Only on this site, not changed: {onlyHere.length}
          </summary>
          <ul className="mt-2 columns-1 gap-8 text-sm md:columns-2">
            {onlyHere.map(({ id, what, key }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                <span className="text-muted">{what}</span> <VisibleText text={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
