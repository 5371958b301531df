import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useId } from 'react'

/** Shows a part of the page. Its heading leads to the list with exactly the rows that it speaks of. */
export function Tile({
  title,
  href,
  children,
}: {
  title: string
  /** null = there is no such list for this reader. */
  href: string | null
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-2 rounded-md border bg-surface-1 p-3"
    >
      <h2 id={id} className="text-lg">
        {href === null ? (
          title
        ) : (
          <Link
            href={href}
            className="inline-flex items-center gap-1 hover:text-link hover:underline"
          >
            {title}
            <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden />
          </Link>
        )}
      </h2>
      {children}
    </section>
  )
}
