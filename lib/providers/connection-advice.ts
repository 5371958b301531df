// Ends of advice sentences. They name only commands that exist; none of them can change a stored address.

export const checkConnection = '`npx toolgate doctor` checks the connection.'

export const checkAddress = 'Check the base URL: `npx toolgate connection list` shows it.'

export const checkWire =
  'Check the wire and the base URL: `npx toolgate connection list` shows both.'

export const storeKey = '`npx toolgate key set --connection NAME` stores a new one.'

export const addConnection =
  '`npx toolgate connection add` makes a connection with the right address.'
