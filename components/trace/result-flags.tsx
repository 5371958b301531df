import { TriangleAlert } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import { countFlags } from './call-words'
import { VisibleText } from './visible-text'

/** Lists the suspicious phrases of an untrusted text and how often each was found. */
export function ResultFlags({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return null
  return (
    <ul aria-label="Suspicious phrases" className="flex flex-wrap gap-1">
      {countFlags(flags).map(({ name, words, times }) => (
        <li key={name}>
          <Badge tone="warning" title={name}>
            <TriangleAlert aria-hidden />
            <VisibleText text={words} />
            {times > 1 && <span className="numeric">×{times}</span>}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
