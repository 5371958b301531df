// Parts of advice sentences: the page and the command that put it right. Some stand after a full stop, some after "if
// it stays,", so they begin with what may stand there.

export const checkConnection =
  '`npx toolgate connection test NAME` and its page under Connections say more.'

export const checkAddress =
  'Check the base URL under Connections (or with `npx toolgate connection show NAME`).'

export const checkWire =
  'Check the wire and the base URL under Connections (or with `npx toolgate connection show NAME`).'

export const storeKey =
  '`npx toolgate key set --connection NAME` stores a new one, and so does its page under Connections.'

export const correctAddress =
  'Correct the base URL under Connections (or with `npx toolgate connection change NAME`).'
