import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '@/lib/words/format'
import { Button } from './button'
import { HoverPrefetchLink } from './hover-prefetch-link'

/**
 * Shows links to the pages of a list; nothing when there is one page. `of` names the list: "Pages of users". `pages` is
 * Infinity when nobody counted them.
 */
export function PageLinks({
  of,
  page,
  pages,
  hrefOf,
}: {
  of: string
  page: number
  pages: number
  hrefOf: (page: number) => string
}) {
  if (pages <= 1) return null
  return (
    <nav aria-label={`Pages of ${of}`} className="flex items-center justify-end gap-3">
      <span className="numeric text-muted text-sm">
        Page {formatCount(page)}
        {Number.isFinite(pages) && ` of ${formatCount(pages)}`}
      </span>
      {page > 1 && (
        <Button asChild size="sm">
          <HoverPrefetchLink href={hrefOf(Math.min(page - 1, pages))} rel="prev">
            <ChevronLeft className="size-4" aria-hidden />
            Previous
          </HoverPrefetchLink>
        </Button>
      )}
      {page < pages && (
        <Button asChild size="sm">
          <HoverPrefetchLink href={hrefOf(page + 1)} rel="next">
            Next
            <ChevronRight className="size-4" aria-hidden />
          </HoverPrefetchLink>
        </Button>
      )}
    </nav>
  )
}
