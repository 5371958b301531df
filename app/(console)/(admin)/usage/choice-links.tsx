import { cn } from '@/components/ui/cn'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'

type Choice = { value: string; label: string; href: string }

/** Shows links to a few views of one thing. Each view has its own address. */
export function ChoiceLinks({
  label,
  choices,
  current,
}: {
  label: string
  choices: readonly Choice[]
  current: string
}) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1">
      {choices.map(({ value, label: name, href }) => (
        <HoverPrefetchLink
          key={value}
          href={href}
          scroll={false}
          aria-current={value === current ? 'true' : undefined}
          className={cn(
            'inline-flex h-8 items-center rounded-md px-2.5 text-sm pointer-coarse:h-10',
            value === current
              ? 'bg-surface-3 font-semibold text-strong'
              : 'text-muted hover:bg-surface-2 hover:text-normal',
          )}
        >
          {name}
        </HoverPrefetchLink>
      ))}
    </nav>
  )
}
