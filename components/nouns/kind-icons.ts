import {
  Box,
  Boxes,
  CalendarClock,
  ClipboardCheck,
  Database,
  FolderOpen,
  Globe,
  GraduationCap,
  Images,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  PanelsTopLeft,
  Plug,
  ScrollText,
  Search,
  Server,
  SlidersHorizontal,
  SquareTerminal,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { kindsInPalette, type PaletteKind } from '@/lib/protocol/palette'

const ownIcons: Partial<Record<PaletteKind, LucideIcon>> = {
  run: ScrollText,
  conversation: MessagesSquare,
  check: ClipboardCheck,
  configuration: SlidersHorizontal,
  task: ListTodo,
  schedule: CalendarClock,
  person: UserRound,
  group: UsersRound,
  connection: Plug,
  model: Boxes,
  skill: GraduationCap,
  server: Server,
  workspace: FolderOpen,
  channel: Megaphone,
  host: Globe,
  'search-endpoint': Search,
  'data-source': Database,
  program: SquareTerminal,
  storage: Images,
  site: PanelsTopLeft,
  'approval-rule': ListChecks,
  'policy-case': ListChecks,
}

/** The icons of the kinds of objects, in the palette and in empty lists. */
export const kindIcons = {
  ...Object.fromEntries(Object.keys(kindsInPalette).map((kind) => [kind, Box])),
  ...ownIcons,
  // Object.fromEntries loses the keys.
} as Readonly<Record<PaletteKind, LucideIcon>>
