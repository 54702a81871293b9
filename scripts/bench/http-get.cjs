// One GET with Node's own client: what a request costs a program that does nothing else.
require('node:http').get(process.argv[2], (reply) => {
  let text = ''
  reply.on('data', (chunk) => {
    text += chunk
  })
  reply.on('end', () => process.stdout.write(text))
})
