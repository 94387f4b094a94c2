// Package query is the small language in which a person says which records to see. All
// views of a stream share it.
//
// # Language
//
// A query is any number of terms with white space between them. A record is shown if
// every term holds; without a term every record is.
//
//	method:tools/*        the name of the method; of an answer, that of its request
//	id:7                  the id: exactly that text, or a string that says it
//	kind:request          what the record is
//	from:client           who wrote it: client, server or unknown
//	owed-by:server        who owes an answer to it: client or server
//	status:open           what became of the answer that is owed
//	dur:>1s               how long the answer took: <, <=, =, >= or > a duration
//	open                  a word without a colon is short for one of these
//	-method:ping          the term does not hold; ! does the same
//
// A comma between values means or: "kind:request,error". In a value, * stands for any
// text and ? for one character; both match a slash too. Upper and lower case differ.
// Quotes, with the escapes of JSON, keep what is in them as it is: "method:\"a, b\"".
// Around an id they also say that it is a string: id:"7" is not id:7.
//
// # Errors
//
// [Parse] returns a [*SyntaxError], which says where the text is wrong and what it
// could say there. It refuses values that no record can have, so that a slip is not
// taken for an empty stream.
package query
