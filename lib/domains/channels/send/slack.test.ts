import { expect, test } from 'vitest'
import { z } from 'zod'
import { shownMessage } from './send-message'
import { slackBody } from './slack'

const Body = z.object({ text: z.string() })

test.each([
  ['a mention of everybody', '<!channel> <!here> <!everyone>', '<!channel> <!here> <!everyone>'],
  ['one with words of its own', '<!here|lunch>', '<!here|lunch>'],
  ['a mention of a person by id', '<@U024BE7LH>', '<@\u200bU024BE7LH>'],
  ['a mention of a group', '<!subteam^SAZ94GDB8>', '<!subteam^SAZ94GDB8>'],
  ['a mention by name', '@ada, look', '@\u200bada, look'],
  [
    'names of everybody',
    '@channel @HERE @all @Everyone',
    '@\u200bchannel @\u200bHERE @\u200ball @\u200bEveryone',
  ],
  ['one behind a letter', 'x@channel', 'x@\u200bchannel'],
  ['one behind marks', '*@here* _@kim_ (@kim)', '*@\u200bhere* _@\u200bkim_ (@\u200bkim)'],
  ['one behind another one', '@@here', '@@\u200bhere'],
  ['a name in other letters', '@Ада', '@\u200bАда'],
  ['a mention that hides a character', '@\u200bhere', '@[U+200B]here'],
  [
    'a link with other words',
    '<https://evil.example|https://bank.example>',
    '<https://evil.example|https://bank.example>',
  ],
  [
    'one of Mattermost',
    '[bank.example](https://evil.example)',
    '[bank.example]\u200b(https://evil.example)',
  ],
  [
    'one with a space',
    '[bank.example] (https://evil.example)',
    '[bank.example]\u200b (https://evil.example)',
  ],
  [
    'an image that is fetched',
    '![x](https://evil.example/?q=secret)',
    '![x]\u200b(https://evil.example/?q=secret)',
  ],
  [
    'a link by reference',
    '[bank][1]\n[1]: https://evil.example',
    '[bank]\u200b[1]\u200b\n[1]\u200b: https://evil.example',
  ],
  ['entities that are written', '&lt;!channel&gt; &amp;', '&lt;!channel&gt; &amp;'],
  ['text that turns around', 'a\u202egpj.exe', 'a[U+202E]gpj.exe'],
  ['control characters', 'a\u0000\u0007\u001bb', 'ab'],
  ['a channel link', '<#C024BE7LR|general>', '<#C024BE7LR|general>'],
  ['an address of mail', 'ada@example.com', 'ada@example.com'],
])('%s becomes plain text', (_name, text, seen) => {
  const message = { title: 'Title', text, data: {} }
  const shown = shownMessage({ kind: 'slack', sender: null, to: 0 }, message)
  expect(shown).toBe(`Title\n${seen}`)
  const [title = '', ...lines] = shown.split('\n')
  const sent = Body.parse(JSON.parse(slackBody({ title, text: lines.join('\n') }))).text
  expect(sent).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/)
  const read = sent.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  expect(read).toBe(shown)
})
