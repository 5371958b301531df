import type { RunEventOf } from '@/lib/protocol/run-event'
import { visibleText } from '@/lib/protocol/visible-text'
import { countOf } from './count-of'
import { gateWords } from './gate-words'
import { VisibleText } from './visible-text'

/** Which tools this run was given and which were refused, with the gate that said no (SPEC G-E). */
export function OfferSummary({ start }: { start: RunEventOf<'run-start'>['data'] }) {
  const { accepted, rejected } = start
  return (
    <details className="group text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-strong">
        <span aria-hidden className="inline-block w-3 transition-transform group-open:rotate-90">
          ›
        </span>{' '}
        {accepted.length === 0
          ? 'No tools for this run'
          : `${countOf(accepted.length, 'tool')} for this run`}
        {rejected.length > 0 && `, ${rejected.length} not`}
      </summary>
      <div className="mt-1 flex flex-col gap-2 border-l-2 pl-3">
        {accepted.length > 0 && (
          <p className="font-mono text-mono text-normal">
            {accepted.map((tool) => visibleText(tool.name)).join(', ')}
          </p>
        )}
        {rejected.length > 0 && (
          <ul className="flex flex-col gap-0.5">
            {rejected.map((tool) => (
              <li key={tool.name}>
                <span className="font-mono text-mono text-normal">
                  <VisibleText text={tool.name} />
                </span>{' '}
                <span className="text-muted">
                  {gateWords(tool.gate).short}. <VisibleText text={tool.reason} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  )
}
