import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { chosenStyles } from '@/components/ui/control-styles'
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
    <nav
      aria-label={label}
      className="flex flex-wrap gap-1 max-sm:grid max-sm:w-full max-sm:grid-cols-3"
    >
      {choices.map(({ value, label: name, href }) => (
        <Button key={value} asChild size="sm" className={cn(value === current && chosenStyles)}>
          <HoverPrefetchLink
            href={href}
            scroll={false}
            aria-current={value === current ? 'true' : undefined}
          >
            {name}
          </HoverPrefetchLink>
        </Button>
      ))}
    </nav>
  )
}
