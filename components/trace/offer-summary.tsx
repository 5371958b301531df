import { visibleText } from '@/lib/protocol/clean-text'
import { countOf } from '@/lib/protocol/format'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { Disclosure } from './disclosure'
import { gateWords } from './gate-words'
import { VisibleText } from './visible-text'

/** Shows which tools the run was given, and which were not offered with the gate that denied them (SPEC G-E). */
export function OfferSummary({ start }: { start: RunEventOf<'run-start'>['data'] }) {
  const { accepted, rejected } = start
  const given =
    accepted.length === 0
      ? 'No tools for this run'
      : `${countOf(accepted.length, 'tool')} for this run`
  return (
    <Disclosure summary={rejected.length > 0 ? `${given}, ${rejected.length} not offered` : given}>
      {accepted.length > 0 && (
        <p className="font-mono text-mono text-normal [overflow-wrap:anywhere]">
          {accepted.map((tool) => visibleText(tool.name)).join(', ')}
        </p>
      )}
      {rejected.length > 0 && (
        <ul className="mt-2 flex flex-col gap-0.5">
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
    </Disclosure>
  )
}
